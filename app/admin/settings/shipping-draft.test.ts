import { expect, it } from 'vitest'
import { shippingDraftOf, valuesOf } from './shipping-draft.ts'

const FREE = { shipping_rate: 0, free_shipping_from: 0, offers_locker: true }

it('saves an emptied shipping field as the default and not as R0', () => {
  expect(valuesOf({ rate: '', freeFrom: ' ', offers_locker: true })).toEqual({
    shipping_rate: null,
    free_shipping_from: null,
    offers_locker: true,
  })
})

it('keeps a shipping rate of R0 that was typed', () => {
  expect(valuesOf(shippingDraftOf(FREE))).toEqual(FREE)
})
