/** So many tries at once, and as many again in each period. */
export interface Limit {
  tries: number
  periodSeconds: number
}

/** Whom passkeys are made for: they work on this domain and its pages only. */
export interface RelyingParty {
  id: string
  name: string
  origins: string[]
}

export interface AuthSettings {
  isSignUpOpen: boolean
  /** `POST /otp` and `/magiclink` send mails that sign in. They go to any address, and make an account for an unknown one. */
  isMailSignInOpen: boolean
  /** Off: an address must be confirmed by mail before it can sign in. */
  autoconfirm: boolean
  tokenLifetimeSeconds: number
  /** Two tabs may present the same refresh token within this time and both go on. */
  refreshReuseSeconds: number
  passwordMinLength: number
  /** Where mailed links lead when nothing else is asked for and allowed; the process's own address if left out. */
  siteUrl?: string
  /** Further addresses links may lead to; `*` and `**` as in GoTrue. */
  redirectAllowList: string[]
  /**
   * What mailed links open. `confirm` is a page with a button, because mail programs and virus scanners follow links
   * and would use the code up; `verify` acts at once, as GoTrue's do.
   */
  linkPath: 'confirm' | 'verify'
  /**
   * The application's own page for links that lead to the site itself. `confirm` hands it `token_hash`, `type` and `redirect_to`
   * behind the `#`; it redeems them with POST /verify, on whichever device the mail is read.
   */
  linkPage?: string
  /** The page that `confirm` shows, by the link's `type`: any HTML with one form that posts to its own address. */
  confirmPage?: (type: string) => string | Promise<string>
  codeLifetimeSeconds: number
  /** A new address is proven by mail before it counts; if left out, unless `autoconfirm` is on. */
  isEmailChangeMailed: boolean
  /** A new address must be confirmed from the old one too. */
  isEmailChangeConfirmedTwice: boolean
  /** A password is changed only with a mailed code, or the old password, once the sign-in is a day old. */
  passwordChangeNeedsReauthentication: boolean
  /** Left out, passkeys cannot be factors. */
  passkeys?: RelyingParty
  /** Requests whose work depends on whether an account exists all take this long. */
  minimumResponseMs: number
  limits: {
    /** Sign-ins, sign-ups, codes: by the client's address. Wide, because a mobile network is one address. */
    attemptsPerAddress: Limit
    refreshesPerAddress: Limit
    /** Passwords tried for one account from one address. */
    passwordsPerAccountAndAddress: Limit
    /** Passwords tried for one account from addresses that have never signed in to it: beyond it tries are slowed down. */
    passwordsPerAccount: Limit
    /** Failed codes: by account, whichever address they come from. */
    failuresPerAccount: Limit
    /** Wrong codes for second factors, from one network where a factor of the account was shown before. */
    factorGuessesPerNetwork: Limit
    /** The same, from all other networks together. */
    factorGuessesPerAccount: Limit
    /** Wrong recovery codes, from one network where a factor of the account was shown before. */
    recoveryGuessesPerNetwork: Limit
    /** The same, from all other networks together; and apart from these, in sessions that a mailed link opened. */
    recoveryGuessesPerAccount: Limit
    /** Wrong links, codes and other mailed or printed secrets: by the client's address. */
    wrongSecretsPerAddress: Limit
    /** Wrong typed codes: by account, over a long time, because six digits are few. */
    wrongCodesPerAccount: Limit
    /** Changes of address that an account may begin: each mails an address of the caller's choice. */
    addressChangesPerAccount: Limit
    /** Of one kind, to one address. */
    mailsPerAccount: Limit
    /** Of all kinds, to one address: after a few mails the waits become longer. */
    mailsPerAccountAndHour: Limit
    mailsPerAccountAndDay: Limit
    /** Codes sent to phones: each costs money. */
    textsPerPhone: Limit
    textsPerAccount: Limit
    textsPerAddress: Limit
    /** By everybody together. */
    textsPerShop: Limit
  }
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
  limits: {
    attemptsPerAddress: { tries: 300, periodSeconds: 300 },
    refreshesPerAddress: { tries: 900, periodSeconds: 300 },
    passwordsPerAccountAndAddress: { tries: 20, periodSeconds: 3600 },
    passwordsPerAccount: { tries: 100, periodSeconds: 1500 },
    failuresPerAccount: { tries: 20, periodSeconds: 300 },
    // Three of a million codes are right at any time: 30 guesses on the first day find one with less than 1 in 10 000.
    factorGuessesPerNetwork: { tries: 15, periodSeconds: 86_400 },
    factorGuessesPerAccount: { tries: 15, periodSeconds: 86_400 },
    recoveryGuessesPerNetwork: { tries: 20, periodSeconds: 3600 },
    // Ten codes of 80 bits: these guesses find one in 10^18 days. One network makes 1500 wrong guesses a day at most, so it takes
    // about seventy to keep this bucket full.
    recoveryGuessesPerAccount: { tries: 100_000, periodSeconds: 86_400 },
    wrongSecretsPerAddress: { tries: 60, periodSeconds: 3600 },
    wrongCodesPerAccount: { tries: 50, periodSeconds: 86_400 },
    addressChangesPerAccount: { tries: 5, periodSeconds: 3600 },
    mailsPerAccount: { tries: 1, periodSeconds: 60 },
    // Together: four mails a minute apart, the next after a quarter of an hour, then one every 2.4 hours, which is ten a day.
    mailsPerAccountAndHour: { tries: 4, periodSeconds: 3600 },
    mailsPerAccountAndDay: { tries: 5, periodSeconds: 43_200 },
    textsPerPhone: { tries: 5, periodSeconds: 3600 },
    textsPerAccount: { tries: 10, periodSeconds: 3600 },
    textsPerAddress: { tries: 20, periodSeconds: 3600 },
    textsPerShop: { tries: 300, periodSeconds: 86_400 },
  },
}

/** What is not given, or given as undefined, stays as the service has it. */
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
