import { rememberedPath } from './cookie-consent.ts'
import { safePath } from './safe-path.ts'

/** Pages that redirect visitors to the sign-in page and expect them back. */
const REQUIRES_SIGN_IN = /^\/(checkout|account|admin)(\/|[?#]|$)/

/**
 * Returns the path to open after sign-in. A `redirect` to a page that requires sign-in is followed. Any other `redirect` leads to
 * the last visited page if the visitor accepted cookies. Everything else leads to the home page.
 */
export function afterSignIn(redirect: string | null): string {
  const path = safePath(redirect)
  if (!path) return '/'
  if (REQUIRES_SIGN_IN.test(path)) return path
  return safePath(rememberedPath()) ?? '/'
}
