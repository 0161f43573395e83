import { expect, it } from 'vitest'
import { bulkEmailToast } from './bulk-orders.ts'

it('says that no e-mail was sent when all buyers of a bulk e-mail were skipped', () => {
  expect(bulkEmailToast({ done: [] }).title).toBe('No e-mail was sent')
  expect(bulkEmailToast({ done: ['1'] }).title).toBe('Email sent successfully')
})
