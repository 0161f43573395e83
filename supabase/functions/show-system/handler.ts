import { requireAdmin } from '#functions/_shared/staff.ts'
import { withErrorResponse } from '#functions/_shared/function-error.ts'

/** Returns how the shop is doing: findings, alerts, scheduled tasks, disk and backups. */
export const showSystem = withErrorResponse<'show-system'>(async (_request, context) => {
  await requireAdmin(context)
  return context.reportSystem()
})
