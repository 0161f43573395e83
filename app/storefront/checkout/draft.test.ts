import { beforeEach, expect, it } from 'vitest'
import { installStorage } from '#test/browser-storage.ts'
import { EMPTY_DELIVERY } from '#domain/delivery.ts'
import { idempotencyKeyFor, unsettledAttempt } from './attempt.ts'
import { clearCheckoutDraft, readDraft, readPromoCode, saveDraft, savePromoCode } from './draft.ts'

beforeEach(installStorage)

it('restores the checkout form only for the customer who filled it in', () => {
  saveDraft('thandi', { ...EMPTY_DELIVERY, full_name: 'Thandi Mokoena', accept_terms: true })

  expect(readDraft('thandi').full_name).toBe('Thandi Mokoena')
  expect(readDraft('sipho').full_name).toBe('')
})

it('restores a promo code only for the customer who applied it', () => {
  savePromoCode('thandi', 'SAVE')

  expect(readPromoCode('thandi')).toBe('SAVE')
  expect(readPromoCode('sipho')).toBe('')
})

it('does not restore accepted terms with the checkout form', () => {
  saveDraft('thandi', { ...EMPTY_DELIVERY, accept_terms: true })

  expect(readDraft('thandi').accept_terms).toBe(false)
})

it('forgets form and promo code of the checkout once the order is paid', () => {
  saveDraft('thandi', { ...EMPTY_DELIVERY, city: 'Kenton', accept_terms: true })
  savePromoCode('thandi', 'SAVE')
  expect(readPromoCode('thandi')).toBe('SAVE')

  clearCheckoutDraft()

  expect(readDraft('thandi').city).toBe('')
  expect(readPromoCode('thandi')).toBe('')
})

it('forgets an order whose answer was lost once the tab shows a paid order', () => {
  idempotencyKeyFor({ delivery: {}, expected_total: 240, promo_code: null }, 'cart')

  clearCheckoutDraft()

  expect(unsettledAttempt()).toBeNull()
})
