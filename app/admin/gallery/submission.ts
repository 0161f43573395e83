import { useQuery } from '@tanstack/react-query'
import { askBackend, askCounting, tellBackend } from '#app/session/ask-backend.ts'
import { isRefusal } from '#app/session/refusal.ts'
import { saveUnlessChanged, type Versioned } from '../list/save-unless-changed.ts'
import { useChange } from '../list/use-change.ts'

export const SUBMISSION_STATUSES = ['pending', 'approved', 'declined'] as const
export type SubmissionStatus = (typeof SUBMISSION_STATUSES)[number]

/** What staff decided once; `pending` takes a decision back. */
export interface Verdict {
  id: number
  verdict: SubmissionStatus
  reason: string | null
  decided_by: string | null
  decided_at: string
}

/** A row of `gallery_submissions`; its e-mail stands apart, because approved rows are public. */
export interface Submission {
  id: string
  customer_name: string
  description: string
  image_urls: string[]
  status: SubmissionStatus
  created_at: string
  updated_at: string
  product_id: string | null
  variant_id: string | null
  gallery_contacts: { email: string } | null
  /** What took the fish, where the sender or staff said so. */
  products: { name: string } | null
  product_variants: { name: string } | null
  gallery_verdicts: Verdict[]
}

export interface SubmissionDetails {
  customer_name: string
  email: string | null
  description: string
  product_id: string | null
  variant_id: string | null
}

export function latestVerdict({ gallery_verdicts }: Submission): Verdict | null {
  return gallery_verdicts.toSorted((a, b) => b.id - a.id)[0] ?? null
}

export type SubmissionCounts = Record<SubmissionStatus, number>

export function useSubmissionCounts() {
  return useQuery({
    queryKey: ['gallery', 'counts'],
    queryFn: async (): Promise<SubmissionCounts> => {
      const [pending, approved, declined] = await Promise.all([
        countOf('pending'),
        countOf('approved'),
        countOf('declined'),
      ])
      return { pending, approved, declined }
    },
  })
}

async function countOf(status: SubmissionStatus): Promise<number> {
  const { count } = await askCounting((backend) =>
    backend.from('gallery_submissions').select('id', { count: 'exact', head: true }).eq('status', status),
  )
  return count
}

export interface Decision {
  submission: Submission
  verdict: SubmissionStatus
  /** Why it was declined; for staff. */
  reason?: string
}

export function useJudge() {
  return useChange({
    change: ({ submission: { id, status }, verdict, reason }: Decision) =>
      tellBackend((backend) =>
        backend.rpc('judge_photo', {
          submission_id: id,
          was: status,
          verdict,
          reason: reason?.trim() || null,
        }),
      ),
    done: ({ verdict }) => ({ title: 'Status updated', description: DONE[verdict] }),
    failure: (error) =>
      isRefusal(error.cause) && error.cause.details === 'judged_already'
        ? error.message
        : 'Failed to update photo status',
    undoes: ({ submission: { id } }) => ({ table: 'gallery_submissions', id }),
    refreshes: ['gallery'],
  })
}

const DONE: Record<SubmissionStatus, string> = {
  approved: 'Photo approved successfully.',
  declined: 'Photo declined successfully.',
  pending: 'Photo is back in review.',
}

export function useUpdateSubmission(id: string) {
  return useChange({
    change: ({ details, seen }: { details: SubmissionDetails; seen: Versioned }) =>
      saveUnlessChanged({ table: 'gallery_submissions', seen, values: details }),
    done: 'Submission updated successfully.',
    failure: 'Failed to update submission',
    undoes: () => ({ table: 'gallery_submissions', id }),
    refreshes: ['gallery'],
  })
}

/** A lure and its colours, as far as a photo is tagged with them. */
export interface TaggableLure {
  id: string
  name: string
  product_variants: { id: string; name: string }[]
}

export function useTaggableLures() {
  return useQuery({
    queryKey: ['products', 'taggable'],
    queryFn: () =>
      askBackend<TaggableLure[]>((backend) =>
        backend
          .from('products')
          .select('id, name, product_variants(id, name)')
          .order('position')
          .order('position', { referencedTable: 'product_variants' }),
      ),
  })
}
