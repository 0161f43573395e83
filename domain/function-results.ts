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

/** What a check found, and what to do about it. */
export interface ReportedFinding {
  component: string
  state: 'ok' | 'warning' | 'failed'
  message: string
  action: string | null
}

/** What the shop needs from its machine, for admins. */
export interface SetupReport {
  /** The most urgent first. */
  findings: ReportedFinding[]
}

/** How the shop is doing, for admins. Times are ISO texts. */
export interface SystemReport {
  checkedAt: string
  /** Of the process. */
  startedAt: string
  version: string
  database: string
  disk: { freeBytes: number; totalBytes: number } | null
  newestBackup: string | null
  /** The most urgent first. */
  findings: ReportedFinding[]
  tasks: { task: string; ranAt: string | null }[]
  /** The newest first. */
  alerts: {
    id: string
    component: string
    state: 'warning' | 'failed'
    message: string
    raisedAt: string
    clearedAt: string | null
  }[]
  /** The newest first. */
  accountEvents: {
    id: string
    action: string
    /** Null when there is no such account any more. */
    email: string | null
    /** A role, or the kind of a second factor. */
    detail: string | null
    address: string | null
    happenedAt: string
  }[]
  /** An address, and the host of the webhook. */
  alertsGoTo: { mail: string; webhook: string | null }
}

type AlertOutcome = { outcome: 'sent' | 'not set up' } | { outcome: 'refused'; reason: string }

/** What became of a test alert on each way. */
export interface AlertTest {
  mail: AlertOutcome
  webhook: AlertOutcome
}

interface Success {
  success: true
}

/** The result of each server function, for its handler and for the pages that call it. */
export interface FunctionResults {
  'check-setup': SetupReport
  'generate-payfast-payment': PaymentForm
  'preview-own-mail': MailPreview
  'preview-shipping-mail': MailPreview
  /** A duplicate has the text of an earlier e-mail of the day and is not sent. */
  'send-admin-email': Success & { isDuplicate: boolean }
  'send-contact-notification': Success
  'send-gallery-notification': Success
  /** `isMailLimited`: the address has been asked often enough, so no mail is sent. */
  'send-newsletter-signup': Success & { isMailLimited?: boolean }
  'send-order-confirmation': Success
  'send-order-notification': Success
  'send-order-status-update': Success
  'send-test-alert': AlertTest
  /** `mailbox` without a mail server: the mail is on the mailbox page. */
  'send-test-mail': { to: string; by: 'server' | 'mailbox' }
  'show-settings': PublicSettings
  'show-system': SystemReport
  'test-payfast': { checks: AccountCheck[] }
  'update-order-status': Success & { status: string; paid: boolean }
}
