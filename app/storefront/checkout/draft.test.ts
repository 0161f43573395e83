import { beforeEach, expect, it } from 'vitest'
import { installStorage } from '#test/browser-storage.ts'
import { EMPTY_DELIVERY } from '#domain/delivery.ts'
import { readDraft, saveDraft } from './draft.ts'

beforeEach(installStorage)

it('restores the checkout form only for the customer who filled it in', () => {
  saveDraft('thandi', { ...EMPTY_DELIVERY, full_name: 'Thandi Mokoena', accept_terms: true })

  expect(readDraft('thandi').full_name).toBe('Thandi Mokoena')
  expect(readDraft('sipho').full_name).toBe('')
})

it('does not restore accepted terms with the checkout form', () => {
  saveDraft('thandi', { ...EMPTY_DELIVERY, accept_terms: true })

  expect(readDraft('thandi').accept_terms).toBe(false)
})
