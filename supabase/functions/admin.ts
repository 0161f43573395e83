import { checkAccount } from '#payments/payfast/check-account.ts'
import type { FunctionResults } from '#domain/function-results.ts'
import type { FunctionContext } from './_shared/function-context.ts'
import { withErrorResponse } from './_shared/function-error.ts'
import { requireAdmin } from './_shared/staff.ts'

/** A function that needs no input and answers admins only. */
function forAdmins<Name extends keyof FunctionResults>(
  answer: (context: FunctionContext) => Promise<FunctionResults[Name]>,
) {
  return withErrorResponse<Name>(async (_request, context) => {
    await requireAdmin(context)
    return answer(context)
  })
}

export const adminFunctions = {
  /** Checks what the shop needs from its machine, as `npm run doctor` does. Takes up to ten seconds when servers do not answer. */
  'check-setup': forAdmins<'check-setup'>((context) => context.checkSetup()),

  /** Sends a test alert to the shop's address and the webhook, and returns what their servers said. */
  'send-test-alert': forAdmins<'send-test-alert'>((context) => context.testAlert()),

  /** Returns the process's settings without secrets. */
  'show-settings': forAdmins<'show-settings'>(async (context) => context.publicSettings),

  /** Returns how the shop is doing: findings, alerts, scheduled tasks, disk and backups. */
  'show-system': forAdmins<'show-system'>((context) => context.reportSystem()),

  /** Checks that PayFast responds and accepts the account's credentials. No money moves. */
  'test-payfast': forAdmins<'test-payfast'>(async ({ payfast }) => ({ checks: await checkAccount(payfast) })),
}
