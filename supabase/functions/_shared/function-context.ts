import type { Caller, DatabasePools } from '@saltfreak/backend'
import type { Deliver } from '#emails/outbox/transport.ts'
import type { AlertTest, PublicSettings, SetupReport, SystemReport } from '#domain/function-results.ts'
import type { PayfastAccount } from '#payments/payfast/account.ts'

/** The dependencies of this shop's server functions. */
export interface FunctionContext {
  caller: Caller
  database: DatabasePools
  publicUrl: string
  payfast: PayfastAccount
  /** Sends a mail immediately; null without a mail server (mails then stay on the mailbox page). */
  deliver: Deliver | null
  publicSettings: PublicSettings
  checkSetup(this: void): Promise<SetupReport>
  reportSystem(this: void): Promise<SystemReport>
  testAlert(this: void): Promise<AlertTest>
}
