import type { Caller } from '#backend/http/caller.ts'
import type { Database } from '#backend/database/pool.ts'
import type { PayfastAccount } from '#payments/payfast/account.ts'

/** What a function of this shop may use. */
export interface Given {
  caller: Caller
  database: Database
  publicUrl: string
  payfast: PayfastAccount
}
