/** A leaky bucket: holds `tries` and drains that many per period. */
export interface Limit {
  tries: number
  periodSeconds: number
}

/** WebAuthn relying party: the domain and origins that passkeys are bound to. */
export interface RelyingParty {
  id: string
  name: string
  origins: string[]
}

const LIMITS = {
  /** Sign-ins, sign-ups, codes: by the client's address. High, because mobile networks share addresses. */
  attemptsPerAddress: { tries: 300, periodSeconds: 300 },
  refreshesPerAddress: { tries: 900, periodSeconds: 300 },
  /** Passwords tried for one account from one address. */
  passwordsPerAccountAndAddress: { tries: 20, periodSeconds: 3600 },
  /** Passwords tried for one account from networks that have never signed in to it; further ones are delayed. */
  passwordsPerAccount: { tries: 100, periodSeconds: 1500 },
  /** Failed codes: by account, from all addresses together. */
  failuresPerAccount: { tries: 20, periodSeconds: 300 },
  /**
   * Wrong second-factor codes, from one network where a factor of the account was verified. Three of a million codes are valid at any
   * time: 30 guesses on the first day succeed with less than 1 in 10 000.
   */
  factorGuessesPerNetwork: { tries: 15, periodSeconds: 86_400 },
  /** The same, from all other networks together. */
  factorGuessesPerAccount: { tries: 15, periodSeconds: 86_400 },
  /** Wrong recovery codes, from one network where a factor of the account was verified. */
  recoveryGuessesPerNetwork: { tries: 20, periodSeconds: 3600 },
  /**
   * The same, from all other networks together; counted separately for sessions that a mailed link opened. Ten codes of 80 bits: these
   * guesses find one in 10^18 days. One network can make 1500 wrong guesses a day, so locking the owner out takes about seventy networks.
   */
  recoveryGuessesPerAccount: { tries: 100_000, periodSeconds: 86_400 },
  /** Wrong links, codes and other mailed or printed secrets: by the client's address. */
  wrongSecretsPerAddress: { tries: 60, periodSeconds: 3600 },
  /** Wrong typed codes: by account, over a long period because codes have only six digits. */
  wrongCodesPerAccount: { tries: 50, periodSeconds: 86_400 },
  /** Address changes begun by an account: each mails an address of the caller's choice. */
  addressChangesPerAccount: { tries: 5, periodSeconds: 3600 },
  /** Mails of one kind to one address. */
  mailsPerAccount: { tries: 1, periodSeconds: 60 },
  /**
   * Mails of one group to one address. Together: four mails a minute apart, the next after a quarter of an hour, then one every 2.4
   * hours, which is ten a day.
   */
  mailsPerAccountAndHour: { tries: 4, periodSeconds: 3600 },
  mailsPerAccountAndDay: { tries: 5, periodSeconds: 43_200 },
  /** Texts with codes: each costs money. */
  textsPerPhone: { tries: 5, periodSeconds: 3600 },
  textsPerAccount: { tries: 10, periodSeconds: 3600 },
  textsPerAddress: { tries: 20, periodSeconds: 3600 },
  /** All texts of the shop. */
  textsPerShop: { tries: 300, periodSeconds: 86_400 },
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
  /** Required for passkey factors. */
  passkeys?: RelyingParty
  /** Minimum duration of requests whose work depends on whether an account exists, against timing attacks. */
  minimumResponseMs: number
  limits: Record<keyof typeof LIMITS, Limit>
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
  minimumResponseMs: 150,
  limits: LIMITS,
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
