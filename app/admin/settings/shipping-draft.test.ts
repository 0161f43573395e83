import { expect, it } from 'vitest'
import { isSameDraft, keepDefaults, shippingDraftOf, valuesOf, withDefaults } from './shipping-draft.ts'

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

it('saves a change without storing the defaults that the form shows for other settings', () => {
  const saved = { shipping_rate: null, free_shipping_from: null, offers_locker: true }
  const draft = { ...shippingDraftOf(saved), offers_locker: false }

  expect(keepDefaults(valuesOf(draft), saved)).toEqual({ ...saved, offers_locker: false })
  expect(keepDefaults(valuesOf({ ...draft, rate: '87.5' }), saved)).toMatchObject({
    shipping_rate: 87.5,
    free_shipping_from: null,
  })
  const typedBefore = valuesOf(draft)
  expect(keepDefaults(typedBefore, typedBefore)).toEqual(typedBefore)
})

it('compares a default with the same value without a difference, and R0 as it is', () => {
  const untouched = { shipping_rate: null, free_shipping_from: null, offers_locker: true }
  expect(withDefaults(untouched)).toEqual(valuesOf(shippingDraftOf(untouched)))
  expect(withDefaults(FREE)).toEqual(FREE)
})

it('counts only typed shipping settings that save something else as typed', () => {
  const saved = { rate: '100', freeFrom: '1500', offers_locker: true }
  expect(isSameDraft({ rate: '', freeFrom: '1500.00', offers_locker: true }, saved)).toBe(true)
  expect(isSameDraft({ ...saved, rate: '100.5' }, saved)).toBe(false)
  expect(isSameDraft({ ...saved, freeFrom: '' }, { ...saved, freeFrom: '1200' })).toBe(false)
  expect(isSameDraft({ ...saved, offers_locker: false }, saved)).toBe(false)
})
