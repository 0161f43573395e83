import { requireAdmin } from '#functions/_shared/staff.ts'
import type { FunctionContext } from '#functions/_shared/function-context.ts'
import { withErrorResponse } from '#functions/_shared/function-error.ts'
import { checkAccount } from '#payments/payfast/check-account.ts'

/** Checks that PayFast responds and accepts the account's credentials. No money moves. */
export const testPayfast = withErrorResponse<FunctionContext>(async (_request, context) => {
  await requireAdmin(context)
  return Response.json({ checks: await checkAccount(context.payfast) })
})
