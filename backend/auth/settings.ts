/** So many tries at once, and as many again in each period. */
export interface Limit {
  tries: number
  periodSeconds: number
}

export interface AuthSettings {
  isSignUpOpen: boolean
  /** Off: an address must be confirmed by mail before it can sign in. */
  autoconfirm: boolean
  tokenLifetimeSeconds: number
  /** Two tabs may present the same refresh token within this time and both go on. */
  refreshReuseSeconds: number
  passwordMinLength: number
  limits: {
    /** Sign-ins, sign-ups, codes: by the client's address. Wide, because a mobile network is one address. */
    attemptsPerAddress: Limit
    refreshesPerAddress: Limit
    /** Failed passwords and codes: by account, whichever address they come from. */
    failuresPerAccount: Limit
  }
}

export const defaultSettings: AuthSettings = {
  isSignUpOpen: true,
  autoconfirm: true,
  tokenLifetimeSeconds: 3600,
  refreshReuseSeconds: 10,
  passwordMinLength: 6,
  limits: {
    attemptsPerAddress: { tries: 300, periodSeconds: 300 },
    refreshesPerAddress: { tries: 900, periodSeconds: 300 },
    failuresPerAccount: { tries: 20, periodSeconds: 300 },
  },
}
