import { anyContains, type List, choicesOf } from '../list/list.ts'
import type { Submission, SubmissionStatus } from './submission.ts'

export const STATUS_LABELS: Record<SubmissionStatus, string> = {
  pending: 'Pending',
  approved: 'Approved',
  declined: 'Declined',
}

const COLUMNS =
  '*, gallery_contacts(email), products(name), product_variants(name), gallery_reviews(id, verdict, reason, decided_by, decided_at)'

export const SUBMISSIONS: List<Submission> = {
  name: 'gallery',
  title: 'Gallery',
  noun: { singular: 'photo', plural: 'photos' },
  idOf: ({ id }) => id,
  nameOf: ({ customer_name }) => `photo from ${customer_name}`,
  searchPlaceholder: 'Name or description',
  filters: [{ name: 'status', label: 'Status', choices: choicesOf(STATUS_LABELS) }],
  sorts: { created_at: { label: 'Submitted', ascending: 'oldest first', descending: 'newest first' } },
  defaultSort: '-created_at',
  buildQuery(backend, { search, filters: { status } }) {
    const photos = backend.from('gallery_submissions').select(COLUMNS, { count: 'estimated' })
    const matching = search ? photos.or(anyContains(['customer_name', 'description'], search)) : photos
    return status ? matching.filter('status', 'eq', status) : matching
  },
}
