import { localStore, readStoredJson, writeStoredJson } from '#app/ui/browser-store.ts'

export interface CookieConsent {
  hasResponded: boolean
  cookiesAccepted: boolean
}

const CONSENT_KEY = 'cookie_consent'
const PATH_KEY = 'last_visited_path'
const NEVER_REMEMBERED = /^\/(auth|checkout)(\/|$)/

const NOT_ASKED: CookieConsent = { hasResponded: false, cookiesAccepted: false }

export function readConsent(): CookieConsent {
  const stored = readStoredJson(localStore(), CONSENT_KEY)
  return isConsent(stored) ? stored : NOT_ASKED
}

export function answerCookies(cookiesAccepted: boolean): void {
  writeStoredJson(localStore(), CONSENT_KEY, { hasResponded: true, cookiesAccepted } satisfies CookieConsent)
  if (!cookiesAccepted) localStore().removeItem(PATH_KEY)
}

/** Remembers the current page if the visitor accepted cookies. */
export function rememberPath(path: string): void {
  if (!readConsent().cookiesAccepted || NEVER_REMEMBERED.test(path)) return
  try {
    localStore().setItem(PATH_KEY, path)
  } catch {
    // A full storage: after the sign-in, the visitor lands on the home page.
  }
}

export function rememberedPath(): string | null {
  if (!readConsent().cookiesAccepted) return null
  return localStore().getItem(PATH_KEY)
}

function isConsent(value: unknown): value is CookieConsent {
  return (
    typeof value === 'object' &&
    value !== null &&
    'hasResponded' in value &&
    'cookiesAccepted' in value &&
    typeof value.hasResponded === 'boolean' &&
    typeof value.cookiesAccepted === 'boolean'
  )
}
