/** The address of the sign-in page; its `redirect` holds the page the visitor comes from (`afterSignIn`). */
export function signInPath(from: string): string {
  if (from === '/' || /^\/auth(\/|$)/.test(from)) return '/auth'
  return `/auth?redirect=${encodeURIComponent(from)}`
}
