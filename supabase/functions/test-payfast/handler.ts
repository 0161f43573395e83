import { requireAdmin } from '#functions/_shared/staff.ts'
import { withErrorResponse } from '#functions/_shared/function-error.ts'
import { checkAccount } from '#payments/payfast/check-account.ts'

/** Checks that PayFast responds and accepts the account's credentials. No money moves. */
export const testPayfast = withErrorResponse<'test-payfast'>(async (_request, context) => {
  await requireAdmin(context)
  return { checks: await checkAccount(context.payfast) }
})
