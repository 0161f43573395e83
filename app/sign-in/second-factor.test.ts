import { beforeEach, expect, it, vi } from 'vitest'
import { verifyFirstCode, verifyWithCode, verifyWithRecoveryCode } from './second-factor.ts'

const mfa = vi.hoisted(() => ({
  challengeAndVerify: async (_params: { factorId: string; code: string }): Promise<object> => ({}),
  recoveryCodes: { verify: async (_params: { code: string }): Promise<object> => ({}) },
}))
vi.mock('#app/data/backend.ts', () => ({ loadBackend: async () => ({ auth: { mfa } }) }))

beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())

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

const apps = [{ id: 'old' }, { id: 'new' }]

it('accepts the code of any authenticator app of the account, typed with a space', async () => {
  const tried = acceptApp('new')

  expect(await verifyWithCode(apps, ' 123 456')).toBeNull()
  expect(tried).toEqual(['old 123456', 'new 123456'])
})

it('stops at the app whose code is right', async () => {
  const tried = acceptApp('old')

  expect(await verifyWithCode(apps, '123456')).toBeNull()
  expect(tried).toEqual(['old 123456'])
})

it('says why a code or recovery code was refused', async () => {
  acceptApp('none')
  expect(await verifyWithCode(apps, '123456')).toContain('This code is wrong or was used before.')

  mfa.challengeAndVerify = async () => refusal('over_request_rate_limit', 429)
  expect(await verifyWithCode(apps, '123456')).toBe('Too many attempts. Please wait five minutes.')

  mfa.recoveryCodes.verify = async () => refusal('mfa_verification_failed')
  expect(await verifyWithRecoveryCode('x')).toBe('This recovery code is wrong or was used before.')
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

it('does not call a code wrong when the shop cannot be reached', async () => {
  mfa.challengeAndVerify = async () => ({ data: null, error: { message: '', status: 0 } })

  await expect(verifyWithCode(apps, '123456')).rejects.toThrow('We couldn’t reach the shop.')
})
