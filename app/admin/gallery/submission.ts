import { useQuery } from '@tanstack/react-query'
import { queryBackend, queryWithCount } from '#app/data/query-backend.ts'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import { backendError } from '#app/data/backend-error.ts'
import type { Tables } from '#database'
import { useSave } from '../form/use-edit.tsx'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'

const SUBMISSION_STATUSES = ['pending', 'approved', 'declined'] as const
export type SubmissionStatus = Tables<'gallery_submissions'>['status']

/** A staff decision; `pending` undoes the previous one. */
export type Verdict = Pick<
  Tables<'gallery_reviews'>,
  'id' | 'verdict' | 'reason' | 'decided_by' | 'decided_at'
>

/** The e-mail address is in a separate table, because approved submissions are public. */
export type Submission = Pick<
  Tables<'gallery_submissions'>,
  | 'id'
  | 'customer_name'
  | 'description'
  | 'image_urls'
  | 'status'
  | 'created_at'
  | 'updated_at'
  | 'product_id'
  | 'variant_id'
> & {
  gallery_contacts: Pick<Tables<'gallery_contacts'>, 'email'> | null
  /** The lure that caught the fish, if known. */
  products: Pick<Tables<'products'>, 'name'> | null
  product_variants: Pick<Tables<'product_variants'>, 'name'> | null
  gallery_reviews: Verdict[]
}

export type SubmissionDetails = Pick<
  Tables<'gallery_submissions'>,
  'customer_name' | 'description' | 'product_id' | 'variant_id'
> &
  Partial<Pick<Tables<'gallery_submissions'>, 'email'>>

export type TaggableLure = Pick<Tables<'products'>, 'id' | 'name'> & {
  product_variants: Pick<Tables<'product_variants'>, 'id' | 'name'>[]
}

export function latestVerdict({ gallery_reviews }: Submission): Verdict | null {
  return gallery_reviews.toSorted((a, b) => b.id - a.id)[0] ?? null
}

/** The number of photos of each status. */
export function useSubmissionCounts() {
  return useQuery({
    queryKey: ['gallery', 'counts'],
    queryFn: async () => new Map(await Promise.all(SUBMISSION_STATUSES.map(countOf))),
  })
}

async function countOf(status: SubmissionStatus) {
  const { count } = await queryWithCount((backend) =>
    backend.from('gallery_submissions').select('id', { count: 'exact', head: true }).eq('status', status),
  )
  return [status, count] as const
}

export interface Decision {
  submission: Submission
  verdict: SubmissionStatus
  /** Visible to staff only. */
  reason?: string
}

export function useReviewPhoto() {
  return useToastMutation({
    mutationFn: ({ submission: { id, status }, verdict, reason }: Decision) =>
      queryBackend((backend) =>
        backend.rpc('review_photo', {
          submission_id: id,
          was: status,
          verdict,
          reason: reason?.trim() || null,
        }),
      ),
    success: ({ verdict }) => ({ title: 'Status updated', description: DONE[verdict] }),
    errorText: (error) =>
      backendError(error, 'already_reviewed') ? error.message : 'Failed to update photo status',
    undoes: ({ submission: { id } }) => ({ table: 'gallery_submissions', id }),
    invalidates: ['gallery'],
  })
}

/** Deletes a declined photo for good. */
export const useDeletePhoto = () =>
  useToastMutation({ mutationFn: deletePhoto, success: 'Photo deleted', invalidates: ['gallery'] })

/** Throws when the photo is no longer declined. One that is gone already is no error: the first answer may have been lost. */
export async function deletePhoto({ id }: Pick<Submission, 'id'>): Promise<void> {
  await queryBackend((backend) => backend.from('gallery_submissions').delete().eq('id', id))
  const left = await queryBackend((backend) => backend.from('gallery_submissions').select('id').eq('id', id))
  if (left.length > 0)
    throw new Error('Someone else has reviewed this photo in the meantime, so it was not deleted.')
}

const DONE: Record<SubmissionStatus, string> = {
  approved: 'Photo approved successfully.',
  declined: 'Photo declined successfully.',
  pending: 'Photo is back in review.',
}

export const useUpdateSubmission = () =>
  useSave<SubmissionDetails>('gallery_submissions', {
    success: 'Submission updated successfully.',
    errorText: 'Failed to update submission',
    isUndoable: canUndoDetails,
    invalidates: ['gallery'],
  })

/** The history keeps no e-mail address, so that Undo would take back the change before it. */
export function canUndoDetails(details: SubmissionDetails): boolean {
  return details.email === undefined
}

export function useTaggableLures() {
  return useBackendQuery(['products', 'taggable'], (backend) =>
    backend
      .from('products')
      .select('id, name, product_variants(id, name)')
      .order('position')
      .order('position', { referencedTable: 'product_variants' })
      .order('id', { referencedTable: 'product_variants' }),
  )
}
