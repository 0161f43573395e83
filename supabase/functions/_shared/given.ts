import type { Caller } from '#backend/http/caller.ts'
import type { Database } from '#backend/database/pool.ts'
import type { Deliver } from '#emails/outbox/transport.ts'
import type { PayfastAccount } from '#payments/payfast/account.ts'

/** What a function of this shop may use. */
export interface Given {
  caller: Caller
  database: Database
  publicUrl: string
  payfast: PayfastAccount
  /** Hands a mail to the mail server at once; null: there is none, mails are kept for the mailbox page. */
  deliver: Deliver | null
  startedWith: StartedWith
}

/** The process's settings as an admin may read them: never a secret. */
export interface StartedWith {
  publicUrl: string
  payfast: { mode: PayfastAccount['mode']; merchantId: string; hasPassphrase: boolean }
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
