import { beforeEach, expect, it, vi } from 'vitest'
import { browser } from '#test/browser-backend.ts'
import { verifyFirstCode, verifyWithCode, verifyWithRecoveryCode } from './second-factor.ts'

const mfa = {
  challengeAndVerify: async (_params: { factorId: string; code: string }): Promise<object> => ({}),
  recoveryCodes: { verify: async (_params: { code: string }): Promise<object> => ({}) },
}
const refreshSession = vi.fn(async () => ({ error: null }))
vi.mock('#app/data/backend.ts', async () => (await import('#test/browser-backend.ts')).browserBackend)

beforeEach(() => {
  browser.client = { auth: { mfa, refreshSession } }
  vi.spyOn(console, 'error').mockReturnValue()
})

/** The sign-in service's answer with this error code. */
const refusal = (code: string, status = 422) => ({
  data: null,
  error: Object.assign(new Error(code), { code, status }),
})
const accepted = { data: {}, error: null }

/** Accepts codes of this app only. Returns the attempts. */
function acceptApp(app: string) {
  const tried: string[] = []
  mfa.challengeAndVerify = async ({ factorId, code }) => {
    tried.push(`${factorId} ${code}`)
    return factorId === app ? accepted : refusal('mfa_verification_failed')
  }
  return tried
}

it('sends the code of an authenticator app to that app only, typed with a space', async () => {
  const tried = acceptApp('new')

  expect(await verifyWithCode('new', ' 123 456')).toBeNull()
  expect(await verifyWithCode('old', '123456')).toContain('This code is wrong or was used before.')
  expect(tried).toEqual(['new 123456', 'old 123456'])
})

it('names the recovery code and the wait when a limit refuses a code', async () => {
  mfa.challengeAndVerify = async () => refusal('over_request_rate_limit', 429)

  expect(await verifyWithCode('app', '123456')).toBe(
    'Too many wrong codes. Use a recovery code, or try again in two hours.',
  )
})

it('says why a recovery code was refused', async () => {
  mfa.recoveryCodes.verify = async () => refusal('mfa_verification_failed')
  expect(await verifyWithRecoveryCode('x')).toBe('This recovery code is wrong or was used before.')

  mfa.recoveryCodes.verify = async () => refusal('over_request_rate_limit', 429)
  expect(await verifyWithRecoveryCode('x')).toBe('Too many attempts. Please wait five minutes.')
})

it('says how to go on when the key of a new authenticator app has expired, not that the code is wrong', async () => {
  mfa.challengeAndVerify = async () => refusal('mfa_factor_not_found', 404)

  expect(await verifyFirstCode('new', '123456')).toBe(
    'This key has expired. Close this, delete the entry in your app, and add the app again.',
  )
})

it('verifies the first code of a new authenticator app, typed with a space', async () => {
  const tried = acceptApp('new')

  expect(await verifyFirstCode('new', '123 456')).toBeNull()
  expect(await verifyFirstCode('other', '123456')).toContain('This code is wrong or was used before.')
  expect(tried).toEqual(['new 123456', 'other 123456'])
})

it('refreshes the token when the answer to the first code of a new authenticator app is lost, not when the code is wrong', async () => {
  mfa.challengeAndVerify = async () => refusal('mfa_verification_failed')
  await verifyFirstCode('new', '123456')
  expect(refreshSession).not.toHaveBeenCalled()

  mfa.challengeAndVerify = async () => ({ data: null, error: { message: '', status: 0 } })
  await expect(verifyFirstCode('new', '123456')).rejects.toThrow('We couldn’t reach the shop.')
  expect(refreshSession).toHaveBeenCalledOnce()
})

it('does not call a code wrong when the shop cannot be reached', async () => {
  mfa.challengeAndVerify = async () => ({ data: null, error: { message: '', status: 0 } })

  await expect(verifyWithCode('app', '123456')).rejects.toThrow('We couldn’t reach the shop.')
})
