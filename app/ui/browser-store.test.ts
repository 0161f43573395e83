import { beforeEach, expect, it, vi } from 'vitest'
import { installStorage } from '#test/browser-storage.ts'
import { localStore, tabStore } from './browser-store.ts'

beforeEach(installStorage)

it('uses localStorage when the browser allows storage', () => {
  localStore().setItem('word', 'kept')

  expect(localStorage.getItem('word')).toBe('kept')
  expect(tabStore().getItem('word')).toBeNull()
})

it('falls back to an in-memory store when the browser blocks storage', () => {
  const refusing = {
    get: () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    },
    configurable: true,
  }
  vi.unstubAllGlobals()
  Object.defineProperty(globalThis, 'localStorage', refusing)

  localStore().setItem('word', 'remembered')

  expect(localStore().getItem('word')).toBe('remembered')
  localStore().removeItem('word')
  expect(localStore().getItem('word')).toBeNull()
})
