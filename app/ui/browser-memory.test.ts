import { beforeEach, expect, it, vi } from 'vitest'
import { giveStorage } from '#test/browser-storage.ts'
import { lasting, ofThisTab } from './browser-memory.ts'

beforeEach(giveStorage)

it('is the browser’s own where there is one', () => {
  lasting().setItem('word', 'kept')

  expect(localStorage.getItem('word')).toBe('kept')
  expect(ofThisTab().getItem('word')).toBeNull()
})

it('lasts as long as the page where the browser refuses', () => {
  const refusing = {
    get: () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    },
    configurable: true,
  }
  vi.unstubAllGlobals()
  Object.defineProperty(globalThis, 'localStorage', refusing)

  lasting().setItem('word', 'remembered')

  expect(lasting().getItem('word')).toBe('remembered')
  lasting().removeItem('word')
  expect(lasting().getItem('word')).toBeNull()
})
