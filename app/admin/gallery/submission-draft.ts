import type { RecordedRow } from '../history/change-words.ts'
import type { Submission, SubmissionDetails, TaggableLure } from './submission.ts'

/** The fields of the form. */
export type SubmissionDraft = Pick<
  Submission,
  'customer_name' | 'description' | 'product_id' | 'variant_id'
> & { email: string }

export function submissionDraftOf({ gallery_contacts, ...row }: Submission): SubmissionDraft {
  const { customer_name, description, product_id, variant_id } = row
  return { customer_name, description, product_id, variant_id, email: gallery_contacts?.email ?? '' }
}

/**
 * Returns the columns to save. The e-mail address is one of them only if it differs from the `opened` one: its column is always null,
 * so a colleague's change of it is no conflict and would be overwritten.
 */
export function submissionDetailsOf(
  { email, ...draft }: SubmissionDraft,
  opened: SubmissionDraft,
): SubmissionDetails {
  const address = email.trim()
  return {
    ...draft,
    customer_name: draft.customer_name.trim(),
    description: draft.description.trim(),
    ...(address !== opened.email && { email: address || null }),
  }
}

/** Returns what the conflict message compares of a version: the lure and its colour by name, and no e-mail address. */
export function comparedValues(version: RecordedRow, lures: TaggableLure[]): RecordedRow {
  const { customer_name, description, product_id, variant_id } = version
  const lure = lures.find(({ id }) => id === product_id)
  const colour = lure?.product_variants.find(({ id }) => id === variant_id)
  return { customer_name, description, lure: lure?.name, colour: colour?.name }
}
