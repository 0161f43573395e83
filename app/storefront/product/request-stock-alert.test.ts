import { afterEach, expect, it, vi } from 'vitest'
import { setPublishableKey } from '#app/data/backend.ts'
import { requestStockAlert } from './request-stock-alert.ts'

afterEach(() => void vi.unstubAllGlobals())

function requestFrom(response: Response) {
  setPublishableKey('key')
  vi.stubGlobal('fetch', async () => response)
  return requestStockAlert({ variantId: 'v1', email: 'sipho@example.com' })
}

it.each([
  [429, 'Too many requests. Please try again later.'],
  [507, 'We can’t save this right now. Please try again later.'],
])('says why a stock alert that is refused with %i is not possible now', async (status, message) => {
  expect(await requestFrom(Response.json({ message }, { status }))).toEqual({ outcome: 'refused', message })
})

it('shows a visitor no message of a failed stock alert that is meant for developers', async () => {
  const failure = Response.json({ message: 'relation does not exist' }, { status: 500 })

  await expect(requestFrom(failure)).rejects.toThrow('failed with status 500')
})

it.each([
  [422, 'invalid_email', { outcome: 'invalid-email' }],
  [404, 'variant_not_found', { outcome: 'refused', message: 'We no longer sell this colour.' }],
])(
  'says what is wrong with a stock alert that is refused with %i for good',
  async (status, details, result) => {
    expect(await requestFrom(Response.json({ message: '', details }, { status }))).toEqual(result)
  },
)
