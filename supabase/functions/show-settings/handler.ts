import { requireAdmin } from '#functions/_shared/staff.ts'
import type { Given } from '#functions/_shared/given.ts'
import { answering } from '#functions/_shared/refusal.ts'

/** What the process was started with, for an admin to read: no secret is among it. */
export const showSettings = answering<Given>(async (_request, given) => {
  await requireAdmin(given)
  return Response.json(given.startedWith)
})
