/** Returns the path of the sign-in page; its `redirect` parameter holds the current page for `afterSignIn`. */
export function signInPath(from: string): string {
  if (from === '/' || /^\/auth(\/|$)/.test(from)) return '/auth'
  return `/auth?redirect=${encodeURIComponent(from)}`
}
