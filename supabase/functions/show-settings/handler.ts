import { requireAdmin } from '#functions/_shared/staff.ts'
import { withErrorResponse } from '#functions/_shared/function-error.ts'

/** Returns the process's settings without secrets. */
export const showSettings = withErrorResponse<'show-settings'>(async (_request, context) => {
  await requireAdmin(context)
  return context.publicSettings
})
