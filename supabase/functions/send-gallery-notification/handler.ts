import { z } from 'zod'

import { withErrorResponse, readInput, FunctionError } from '#functions/_shared/function-error.ts'

const inputSchema = z.object({
  submissionId: z.uuid(),
  customerName: z.string().nullish(),
  email: z.string().nullish(),
  description: z.string().nullish(),
  imageUrl: z.string().nullish(),
})

/** Queues the shop's notification of a photo that awaits approval. Idempotent. */
export const sendGalleryNotification = withErrorResponse<'send-gallery-notification'>(
  async (request, { database }) => {
    const { submissionId } = await readInput(request, inputSchema)
    const { rowCount } = await database.owner.query(
      `select private.queue_gallery_mail(s) from public.gallery_submissions s where s.id = $1 and s.status = 'pending'`,
      [submissionId],
    )
    if (rowCount === 0) throw new FunctionError(404, 'submission_not_found', 'There is no such submission.')
    return { success: true }
  },
)
