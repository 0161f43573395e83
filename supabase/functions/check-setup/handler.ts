import { requireAdmin } from '#functions/_shared/staff.ts'
import { withErrorResponse } from '#functions/_shared/function-error.ts'

/** Checks what the shop needs from its machine, as `npm run doctor` does. Takes up to ten seconds when servers do not answer. */
export const checkSetup = withErrorResponse<'check-setup'>(async (_request, context) => {
  await requireAdmin(context)
  return context.checkSetup()
})
