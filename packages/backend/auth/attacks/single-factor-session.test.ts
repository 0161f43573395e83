import { afterAll, beforeAll, expect, it } from 'vitest'

import { totpCode } from '#backend/auth/factors/totp.ts'
import { type AttackedAccounts, openAttackedAccounts, tokensIn, unlimited } from './attacked-accounts.ts'

/**
 * The attack: an intruder who knows the password of an account with a second factor signs in, and uses the session, which has
 * not shown the factor, against the owner.
 */
let accounts: AttackedAccounts
beforeAll(async () => {
  accounts = await openAttackedAccounts({ limits: unlimited })
})
afterAll(() => accounts.close())

let people = 0

/** Forgets that the factor's code was used, so that a test can verify with it as well. */
async function anAccountWithFactor() {
  people += 1
  const email = `owner${people}@example.com`
  const { access } = await accounts.signUp(email)
  const factor = await accounts.call('POST', '/factors', {
    bearer: access,
    body: { factor_type: 'totp', friendly_name: 'app' },
  })
  const { id, totp } = factor.body
  const raised = await stepUp(access, id, totpCode(totp.secret))
  await accounts.database.owner.query('delete from auth.totp_uses')
  const { access: owner } = tokensIn(raised.body)
  const { access: intruder } = tokensIn((await accounts.signIn(email)).body)
  return { email, owner, intruder, factorId: id, secret: totp.secret }
}

async function stepUp(bearer: string, id: string, code: string) {
  const challenge = await accounts.call('POST', `/factors/${id}/challenge`, { bearer, body: {} })
  return accounts.call('POST', `/factors/${id}/verify`, {
    bearer,
    body: { challenge_id: challenge.body.id, code },
  })
}

it('does not let a session without the second factor change the account or list sessions', async () => {
  const { email, owner, intruder, factorId } = await anAccountWithFactor()
  const { body: sessions } = await accounts.call('GET', '/sessions', { bearer: owner })
  const calls: [string, string, object?][] = [
    ['PUT', '/user', { data: { full_name: 'Thief' } }],
    ['PUT', '/user', { password: 'stolen-water-1' }],
    ['PUT', '/user', { email: 'thief@example.com' }],
    ['GET', '/reauthenticate'],
    ['POST', '/resend', { type: 'email_change', email }],
    ['POST', '/logout?scope=others'],
    ['POST', '/logout?scope=global'],
    ['POST', '/logout'],
    ['GET', '/sessions'],
    ['DELETE', `/sessions/${sessions[0].id}`],
    ['POST', '/factors', { factor_type: 'totp', friendly_name: 'mine' }],
    ['DELETE', `/factors/${factorId}`],
    ['POST', '/factors/recovery-codes'],
    ['GET', '/factors/recovery-codes'],
  ]

  for (const [method, path, given] of calls) {
    const { body: refusal } = await accounts.call(method, path, { bearer: intruder, body: given })
    expect({ method, path, code: refusal.error_code }).toEqual({ method, path, code: 'insufficient_aal' })
  }
  const after = await accounts.call('GET', '/user', { bearer: owner })
  expect(after.body).toMatchObject({
    email,
    user_metadata: expect.not.objectContaining({ full_name: 'Thief' }),
  })
})

it('lets a session without the second factor verify the factor, use a recovery code or sign out', async () => {
  const { email, owner, intruder, factorId, secret } = await anAccountWithFactor()
  const made = await accounts.call('POST', '/factors/recovery-codes', { bearer: owner })
  const [code] = made.body.codes
  const signInAgain = async () => tokensIn((await accounts.signIn(email)).body).access

  const read = await accounts.call('GET', '/user', { bearer: intruder })
  const byCode = await accounts.call('POST', '/factors/recovery-codes/verify', {
    bearer: await signInAgain(),
    body: { code },
  })
  const byFactor = await stepUp(await signInAgain(), factorId, totpCode(secret))
  const signedOut = await accounts.call('POST', '/logout?scope=local', { bearer: intruder })

  expect([read, byCode, byFactor, signedOut].map(({ status }) => status)).toEqual([200, 200, 200, 204])
  expect((await accounts.call('GET', '/user', { bearer: intruder })).body.error_code).toBe(
    'session_not_found',
  )
  expect((await accounts.call('GET', '/user', { bearer: owner })).status).toBe(200)
})

it('rejects a token that was issued before the session verified the second factor', async () => {
  people += 1
  const { access: before } = await accounts.signUp(`owner${people}@example.com`)
  const { body: factor } = await accounts.call('POST', '/factors', {
    bearer: before,
    body: { factor_type: 'totp' },
  })
  await stepUp(before, factor.id, totpCode(factor.totp.secret))

  const removed = await accounts.call('DELETE', `/factors/${factor.id}`, { bearer: before })

  expect(removed).toMatchObject({ status: 422, body: { error_code: 'insufficient_aal' } })
})
