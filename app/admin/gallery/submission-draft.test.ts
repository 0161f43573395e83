import { expect, it } from 'vitest'
import { comparedValues, submissionDetailsOf, type SubmissionDraft } from './submission-draft.ts'

const OPENED: SubmissionDraft = {
  customer_name: 'Zanele',
  description: 'On the deck',
  product_id: 'popper',
  variant_id: 'red',
  email: 'zanele@example.com',
}

it.each([
  ['zanele@example.org', { email: 'zanele@example.org' }],
  ['', { email: null }],
  ['zanele@example.com ', {}],
])('saves the e-mail address “%s” of a photo only if it was changed', (email, saved) => {
  const { email: _opened, ...columns } = OPENED

  expect(submissionDetailsOf({ ...OPENED, email }, OPENED)).toEqual({ ...columns, ...saved })
})

it('compares the lure and the colour of a photo by name', () => {
  const lures = [{ id: 'popper', name: 'Popper', product_variants: [{ id: 'red', name: 'Redhead' }] }]

  expect(comparedValues({ ...OPENED }, lures)).toEqual({
    customer_name: 'Zanele',
    description: 'On the deck',
    lure: 'Popper',
    colour: 'Redhead',
  })
})
