import { requireAdmin } from '#functions/_shared/staff.ts'
import type { FunctionContext } from '#functions/_shared/function-context.ts'
import { withErrorResponse } from '#functions/_shared/function-error.ts'

/** Returns the process's settings without secrets. */
export const showSettings = withErrorResponse<FunctionContext>(async (_request, context) => {
  await requireAdmin(context)
  return Response.json(context.publicSettings)
})
