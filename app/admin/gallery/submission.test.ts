import { expect, it } from 'vitest'
import { canUndoDetails, latestVerdict, type Submission, type Verdict } from './submission.ts'

const verdict = (id: number, decision: Verdict['verdict']): Verdict => ({
  id,
  verdict: decision,
  reason: null,
  decided_by: null,
  decided_at: '2026-11-21T08:00:00Z',
})

const reviewed = (...gallery_reviews: Verdict[]): Submission => ({
  id: '1',
  customer_name: 'Zanele',
  description: '',
  image_urls: [],
  status: 'approved',
  created_at: '2026-11-20T08:00:00Z',
  updated_at: '2026-11-21T08:00:00Z',
  product_id: null,
  variant_id: null,
  gallery_contacts: null,
  products: null,
  product_variants: null,
  gallery_reviews,
})

it('shows the latest of several decisions about a photo', () => {
  expect(
    latestVerdict(reviewed(verdict(2, 'pending'), verdict(3, 'approved'), verdict(1, 'declined')))?.id,
  ).toBe(3)
  expect(latestVerdict(reviewed())).toBeNull()
})

it('offers no Undo for a changed e-mail address, which the history does not keep', () => {
  const details = { customer_name: 'Zanele', description: '', product_id: null, variant_id: null }

  expect(canUndoDetails(details)).toBe(true)
  expect(canUndoDetails({ ...details, email: 'zanele@example.com' })).toBe(false)
  expect(canUndoDetails({ ...details, email: null })).toBe(false)
})
