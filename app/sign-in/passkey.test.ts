import { beforeEach, expect, it, vi } from 'vitest'
import { browser } from '#test/browser-backend.ts'
import { addPasskey } from './passkey.ts'

const mfa = {
  enroll: async () => ({ data: { id: 'new' }, error: null }),
  challenge: async () => ({
    data: { id: 'challenge', webauthn: { type: 'create', credential_options: {} } },
    error: null,
  }),
  verify: async (): Promise<object> => ({ data: {}, error: null }),
  unenroll: async (_params: { factorId: string }): Promise<object> => ({ data: {}, error: null }),
}
const refreshSession = vi.fn(async () => ({ error: null }))
vi.mock('#app/data/backend.ts', async () => (await import('#test/browser-backend.ts')).browserBackend)

const removed: string[] = []

beforeEach(() => {
  browser.client = { auth: { mfa, refreshSession } }
  removed.length = 0
  refreshSession.mockClear()
  mfa.unenroll = async ({ factorId }) => {
    removed.push(factorId)
    return { data: {}, error: null }
  }
  vi.stubGlobal('location', new URL('https://shop.example'))
  vi.stubGlobal('PublicKeyCredential', Object)
})

const answerDialog = (create: () => Promise<unknown>) =>
  vi.stubGlobal('navigator', { credentials: { create } })

it('removes the new factor when the browser’s dialog is cancelled', async () => {
  const cancelled = new DOMException('cancelled', 'NotAllowedError')
  answerDialog(() => Promise.reject(cancelled))

  await expect(addPasskey('Passkey')).rejects.toBe(cancelled)

  expect(removed).toEqual(['new'])
})

it('keeps the new factor and refreshes the token when the response that may have accepted it is lost', async () => {
  answerDialog(async () => ({}))
  mfa.verify = async () => ({ data: null, error: new Error('Failed to fetch'), status: 0 })

  await expect(addPasskey('Passkey')).rejects.toThrow('We couldn’t reach the shop.')

  expect(removed).toEqual([])
  expect(refreshSession).toHaveBeenCalledOnce()
})
