import { type Limit, DEFAULT_LIMITS } from './limits/default-limits.ts'

/** WebAuthn relying party: the domain and origins that passkeys are bound to. */
export interface RelyingParty {
  id: string
  name: string
  origins: string[]
}

export interface AuthSettings {
  isSignUpOpen: boolean
  /** Enables `POST /otp` and `/magiclink`, which mail sign-in links to any address and create missing accounts. */
  isMailSignInOpen: boolean
  /** When false, an address must be confirmed by mail before sign-in. */
  autoconfirm: boolean
  tokenLifetimeSeconds: number
  /** A refresh token may be reused within this time, for example by another tab. */
  refreshReuseSeconds: number
  passwordMinLength: number
  /** Where mailed links lead if the request names no page. Defaults to `publicUrl`. */
  siteUrl?: string
  /** Further allowed targets of mailed links; `*` and `**` as in GoTrue. */
  redirectAllowList: string[]
  /**
   * The endpoint of mailed links. `confirm` is a page with a button, because mail programs and virus scanners follow links and would
   * consume the code; `verify` acts immediately, as GoTrue does.
   */
  linkPath: 'confirm' | 'verify'
  /**
   * The application's own page for links to the site. `confirm` passes `token_hash`, `type` and `redirect_to` in the fragment; the page
   * redeems them with POST /verify.
   */
  linkPage?: string
  /** Renders the `confirm` page for a link's `type`: HTML with one form that posts to its own address. */
  confirmPage?: (type: string) => string | Promise<string>
  codeLifetimeSeconds: number
  /** A new address must be verified by mail first; default: the opposite of `autoconfirm`. */
  isEmailChangeMailed: boolean
  /** The old address must confirm an address change too. */
  isEmailChangeConfirmedTwice: boolean
  /** A day after sign-in, changing the password needs a mailed code or the old password. */
  passwordChangeNeedsReauthentication: boolean
  /** Ten minutes after the last proof, adding and removing factors and creating recovery codes need a new one. */
  factorChangeNeedsReauthentication: boolean
  /** Required for passkey factors. */
  passkeys?: RelyingParty
  /** Minimum duration of requests whose work depends on whether an account exists, against timing attacks. */
  minimumResponseMs: number
  limits: Record<keyof typeof DEFAULT_LIMITS, Limit>
}

export type AuthSettingsInput = Partial<Omit<AuthSettings, 'limits'>> & {
  limits?: Partial<AuthSettings['limits']>
}

const defaultSettings: Omit<AuthSettings, 'isEmailChangeMailed'> = {
  isSignUpOpen: true,
  isMailSignInOpen: true,
  autoconfirm: true,
  tokenLifetimeSeconds: 3600,
  refreshReuseSeconds: 10,
  passwordMinLength: 6,
  redirectAllowList: [],
  linkPath: 'confirm',
  codeLifetimeSeconds: 3600,
  isEmailChangeConfirmedTwice: true,
  passwordChangeNeedsReauthentication: false,
  factorChangeNeedsReauthentication: false,
  minimumResponseMs: 150,
  limits: DEFAULT_LIMITS,
}

/** Fills missing and undefined settings with defaults. */
export function completeSettings({ limits = {}, ...given }: AuthSettingsInput = {}): AuthSettings {
  const isEmailChangeMailed = !(given.autoconfirm ?? defaultSettings.autoconfirm)
  return {
    ...defaultSettings,
    isEmailChangeMailed,
    ...definedIn(given),
    limits: { ...defaultSettings.limits, ...definedIn(limits) },
  }
}

function definedIn(given: object) {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
