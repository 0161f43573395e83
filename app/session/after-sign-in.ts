import { rememberedPath } from './cookie-consent.ts'
import { safePath } from './safe-path.ts'

/** Pages that send visitors to the sign-in themselves, and get them back. */
const ASKS_FOR_SIGN_IN = /^\/(checkout|account|admin)(\/|[?#]|$)/

/**
 * Where somebody goes who has signed in, by the `redirect` that the address carried. A page that asked for the sign-in gets
 * its visitor back. Any other `redirect` leads to the last page they were on, if they agreed to its being remembered; and
 * without one, or without that, home it is.
 */
export function afterSignIn(redirect: string | null): string {
  const wanted = safePath(redirect)
  if (!wanted) return '/'
  if (ASKS_FOR_SIGN_IN.test(wanted)) return wanted
  return safePath(rememberedPath()) ?? '/'
}
