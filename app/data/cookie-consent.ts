import { localStore } from '#app/ui/browser-store.ts'

export interface CookieConsent {
  hasResponded: boolean
  cookiesAccepted: boolean
}

const CONSENT_KEY = 'cookie_consent'
const PATH_KEY = 'last_visited_path'
const NEVER_REMEMBERED = /^\/(auth|checkout)(\/|$)/

const NOT_ASKED: CookieConsent = { hasResponded: false, cookiesAccepted: false }

export function readConsent(): CookieConsent {
  try {
    const stored: unknown = JSON.parse(localStore().getItem(CONSENT_KEY) ?? 'null')
    return isConsent(stored) ? stored : NOT_ASKED
  } catch {
    // A malformed value counts as no answer.
    return NOT_ASKED
  }
}

export function answerCookies(cookiesAccepted: boolean): void {
  store(CONSENT_KEY, JSON.stringify({ hasResponded: true, cookiesAccepted } satisfies CookieConsent))
  if (!cookiesAccepted) store(PATH_KEY, null)
}

/** Remembers the current page if the visitor accepted cookies. */
export function rememberPath(path: string): void {
  if (readConsent().cookiesAccepted && !NEVER_REMEMBERED.test(path)) store(PATH_KEY, path)
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

function store(key: string, value: string | null): void {
  try {
    if (value === null) localStore().removeItem(key)
    else localStore().setItem(key, value)
  } catch {
    // When storage is full, the banner appears again on the next visit; nothing else depends on it.
  }
}
