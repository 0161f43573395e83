/** The process's settings without secrets, for admins. */
export interface PublicSettings {
  publicUrl: string
  payfast: { mode: 'simulator' | 'sandbox' | 'live'; merchantId: string; hasPassphrase: boolean }
  mail: {
    server: string | null
    isEncrypted: boolean
    hasMailbox: boolean
    from: string
    shopEmail: string
  }
  database: string
  confirmsSignUps: boolean
  trustedProxies: number
}

/** A mail as it would be sent. */
interface MailPreview {
  to: string | null
  subject: string
  html: string
  text: string
}

/** One question of the PayFast test, and its answer. */
export interface AccountCheck {
  asked: string
  isFine: boolean
  answer: string
}

/** The form that the browser posts to PayFast. */
export interface PaymentForm {
  payfastUrl: string
  paymentData: Record<string, string>
}

interface Success {
  success: true
}

/** The result of each server function, for its handler and for the pages that call it. */
export interface FunctionResults {
  'generate-payfast-payment': PaymentForm
  'preview-own-mail': MailPreview
  'preview-shipping-mail': MailPreview
  'send-admin-email': Success
  'send-contact-notification': Success
  'send-gallery-notification': Success
  'send-newsletter-signup': Success
  'send-order-confirmation': Success
  'send-order-notification': Success
  'send-order-status-update': Success
  /** `mailbox` without a mail server: the mail is on the mailbox page. */
  'send-test-mail': { to: string; by: 'server' | 'mailbox' }
  'show-settings': PublicSettings
  'test-payfast': { checks: AccountCheck[] }
  'update-order-status': Success & { status: string; paid: boolean }
}
