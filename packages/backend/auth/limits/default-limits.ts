/** A leaky bucket: holds `tries` and drains that many per period. */
export interface Limit {
  tries: number
  periodSeconds: number
}

export const DEFAULT_LIMITS = {
  /** Sign-ins, sign-ups, codes: by the client's address. High, because mobile networks share addresses. */
  attemptsPerAddress: { tries: 300, periodSeconds: 300 },
  /**
   * New accounts. Each is stored for years and has limits of its own. A launch can bring hundreds of customers of one mobile network, who
   * share an address.
   */
  signUpsPerAddress: { tries: 1000, periodSeconds: 86_400 },
  /** Otherwise one session could use up the refreshes of its network. */
  refreshesPerSession: { tries: 30, periodSeconds: 300 },
  /** As many again with unknown tokens. */
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
  /** All texts of the shop to phones that are second factors. */
  textsPerShop: { tries: 300, periodSeconds: 86_400 },
  /** All texts of the shop to phones that are being set up, which anyone can cause with a new account. */
  setupTextsPerShop: { tries: 100, periodSeconds: 86_400 },
}
