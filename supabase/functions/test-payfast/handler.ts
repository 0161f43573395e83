import { requireAdmin } from '#functions/_shared/staff.ts'
import type { Given } from '#functions/_shared/given.ts'
import { answering } from '#functions/_shared/refusal.ts'
import { checkAccount } from '#payments/payfast/check-account.ts'

/** Whether PayFast answers, and knows the account. No money moves. */
export const testPayfast = answering<Given>(async (_request, given) => {
  await requireAdmin(given)
  return Response.json({ checks: await checkAccount(given.payfast) })
})
