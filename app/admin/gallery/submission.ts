import { useQuery } from '@tanstack/react-query'
import { askForAll, tellBackend } from '#app/session/ask-backend.ts'
import { useChange } from '../list/use-change.ts'
import { viewablePhotos } from './viewable-photos.ts'

export type SubmissionStatus = 'pending' | 'approved' | 'declined'

/** A row of `gallery_submissions`; its e-mail stands apart, because approved rows are public. */
interface SubmissionRow {
  id: string
  customer_name: string
  description: string
  image_urls: string[]
  status: SubmissionStatus
  created_at: string
  gallery_contacts: { email: string } | null
  /** What took the fish, where the sender said so. */
  products: { name: string } | null
  product_variants: { name: string } | null
}

export interface Submission extends SubmissionRow {
  /** Where staff see its photos, public or not. */
  photos: string[]
}

export interface SubmissionDetails {
  customer_name: string
  email: string | null
  description: string
}

export function useSubmissions() {
  return useQuery({
    queryKey: ['gallery'],
    queryFn: listSubmissions,
  })
}

async function listSubmissions(): Promise<Submission[]> {
  const rows = await askForAll<SubmissionRow>((backend, { first, last }) =>
    backend
      .from('gallery_submissions')
      .select('*, gallery_contacts(email), products(name), product_variants(name)')
      .order('created_at', { ascending: false })
      .order('id')
      .range(first, last),
  )
  const photos = await viewablePhotos(rows)
  return rows.map((row, at) => ({ ...row, photos: photos[at] ?? [] }))
}

export function useJudge(id: string) {
  return useChange({
    change: (status: 'approved' | 'declined') =>
      tellBackend((backend) => backend.from('gallery_submissions').update({ status }).eq('id', id)),
    done: (status) => ({ title: 'Status updated', description: `Photo ${status} successfully.` }),
    failure: 'Failed to update photo status',
    undoes: () => ({ table: 'gallery_submissions', id }),
    refreshes: ['gallery'],
  })
}

export function useUpdateSubmission(id: string) {
  return useChange({
    change: (details: SubmissionDetails) =>
      tellBackend((backend) => backend.from('gallery_submissions').update(details).eq('id', id)),
    done: 'Submission updated successfully.',
    failure: 'Failed to update submission',
    undoes: () => ({ table: 'gallery_submissions', id }),
    refreshes: ['gallery'],
  })
}
