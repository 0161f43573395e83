import { z } from 'zod'

import type { Given } from '#functions/_shared/given.ts'
import { answering, readInput, Refusal } from '#functions/_shared/refusal.ts'

const inputSchema = z.object({
  submissionId: z.uuid(),
  customerName: z.string().nullish(),
  email: z.string().nullish(),
  description: z.string().nullish(),
  imageUrl: z.string().nullish(),
})

/** Makes sure that the shop hears of a photo that waits for approval. */
export const sendGalleryNotification = answering<Given>(async (request, { database }) => {
  const { submissionId } = await readInput(request, inputSchema)
  const { rowCount } = await database.owner.query(
    `select private.queue_gallery_mail(s) from public.gallery_submissions s where s.id = $1 and s.status = 'pending'`,
    [submissionId],
  )
  if (rowCount === 0) throw new Refusal(404, 'submission_not_found', 'There is no such submission.')
  return Response.json({ success: true })
})
