/** The merchant account and where PayFast is found, from the settings. */
export interface PayfastAccount {
  mode: 'simulator' | 'sandbox' | 'live'
  merchantId: string
  merchantKey: string
  /** Null when the account has none; the signature is then a checksum only. */
  passphrase: string | null
  processUrl: string
  validateUrl: string
  /** PayFast's REST API, when it is not the real one. */
  apiUrl?: string
}

export const NOTICE_PATH = '/payments/payfast/notice'
