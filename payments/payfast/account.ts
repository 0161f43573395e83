/** The merchant account and PayFast's URLs, from the settings. */
export interface PayfastAccount {
  mode: 'simulator' | 'sandbox' | 'live'
  merchantId: string
  merchantKey: string
  /** Null for an account without a passphrase, whose signature is only a checksum. */
  passphrase: string | null
  processUrl: string
  validateUrl: string
  /** Overrides the URL of PayFast's REST API. */
  apiUrl?: string
}

export const NOTICE_PATH = '/payments/payfast/notice'
