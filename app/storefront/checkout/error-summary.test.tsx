import { expect, it } from 'vitest'
import { EMPTY_DELIVERY } from '#domain/delivery.ts'
import { renderText } from '#test/render-page.tsx'
import type { CheckoutFields } from './draft.ts'
import { ErrorSummary } from './error-summary.tsx'

function textOf(errors: CheckoutFields['errors'], method = 'locker') {
  const typed = { ...EMPTY_DELIVERY, shipping_method: method, accept_terms: false }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The component uses nothing else.
  return renderText(<ErrorSummary fields={{ typed, errors } as CheckoutFields} />)
}

it('counts the errors of the checkout and lists them in the order of its fields', () => {
  expect(
    textOf({ accept_terms: 'Please accept', city: 'City is required', full_name: 'Name is required' }),
  ).toBe('Please correct 3 fields Name is required City is required Please accept')
  expect(textOf({ notes: 'Too long' })).toBe('Please correct one field Too long')
  expect(textOf({})).toBe('')
})

it('lists an error of the locker only for a delivery to a locker', () => {
  const errors = { locker_location: 'Please say which locker' }

  expect(textOf(errors)).toContain('Please say which locker')
  expect(textOf(errors, 'door-to-door')).toBe('')
})
