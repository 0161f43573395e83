import { requireAdmin } from '#functions/_shared/staff.ts'
import { withErrorResponse } from '#functions/_shared/function-error.ts'

/** Sends a test alert to the shop's address and the webhook, and returns what their servers said. */
export const sendTestAlert = withErrorResponse<'send-test-alert'>(async (_request, context) => {
  await requireAdmin(context)
  return context.testAlert()
})
