import { expect, it } from 'vitest'
import { isSameDraft, shippingDraftOf, valuesOf } from './shipping-draft.ts'

const UNSET = { shipping_rate: null, free_shipping_from: null, offers_locker: true }
const FREE = { shipping_rate: 0, free_shipping_from: 0, offers_locker: true }

it('saves an emptied shipping field as the default and not as R0', () => {
  expect(valuesOf({ rate: '', freeFrom: ' ', offers_locker: true }, FREE)).toEqual(UNSET)
})

it('keeps a shipping rate of R0 that was typed', () => {
  expect(valuesOf(shippingDraftOf(FREE), FREE)).toEqual(FREE)
  expect(valuesOf(shippingDraftOf(FREE), UNSET)).toEqual(FREE)
})

it('keeps the default of a shipping field that was not touched', () => {
  const untouched = shippingDraftOf(UNSET)
  expect(valuesOf({ ...untouched, rate: '120' }, UNSET)).toEqual({ ...UNSET, shipping_rate: 120 })
  expect(valuesOf({ ...untouched, freeFrom: '900' }, UNSET)).toEqual({ ...UNSET, free_shipping_from: 900 })
})

it('saves a typed shipping rate that equals the default when another was saved', () => {
  const { rate, freeFrom } = shippingDraftOf(UNSET)
  expect(valuesOf({ rate, freeFrom, offers_locker: true }, FREE)).toEqual({
    shipping_rate: Number(rate),
    free_shipping_from: Number(freeFrom),
    offers_locker: true,
  })
})

it('counts only typed shipping settings that save something else as typed', () => {
  const saved = { rate: '100', freeFrom: '1500', offers_locker: true }
  expect(isSameDraft({ rate: '', freeFrom: '1500.00', offers_locker: true }, saved)).toBe(true)
  expect(isSameDraft({ ...saved, rate: '100.5' }, saved)).toBe(false)
  expect(isSameDraft({ ...saved, freeFrom: '' }, { ...saved, freeFrom: '1200' })).toBe(false)
  expect(isSameDraft({ ...saved, offers_locker: false }, saved)).toBe(false)
})
