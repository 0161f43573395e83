import { afterAll, beforeAll, expect, it } from 'vitest'

import { totpCode } from '#backend/auth/factors/totp.ts'
import { PUBLIC_URL } from '#backend/testing/auth.ts'
import { type AttackedAccounts, openAttackedAccounts, tokensIn, unlimited } from './attacked-accounts.ts'

/**
 * The attack: a stranger at an unlocked screen has a session but no secret of the account. A factor or recovery codes of the
 * stranger's own would be a secret, with which the account can be kept.
 */
let accounts: AttackedAccounts
beforeAll(async () => {
  const passkeys = { id: 'localhost', name: 'Shop', origins: [PUBLIC_URL] }
  const settings = { limits: unlimited, factorChangeNeedsReauthentication: true, passkeys }
  accounts = await openAttackedAccounts(settings, { hasPhones: true })
})
afterAll(() => accounts.close())

let people = 0

interface Unlocked {
  email: string
  /** The token in the browser that was left open. */
  access: string
  refresh: string
}

async function anAccount(): Promise<Unlocked> {
  people += 1
  const email = `owner${people}@example.com`
  return { email, ...(await accounts.signUp(email)) }
}

function enrol(bearer: string, factor_type = 'totp') {
  people += 1
  const body = { factor_type, friendly_name: crypto.randomUUID(), phone: `+2782555${1000 + people}` }
  return accounts.call('POST', '/factors', { bearer, body })
}

async function show(bearer: string, { id, secret }: { id: string; secret: string }) {
  await accounts.database.owner.query('delete from auth.totp_uses')
  const challenge = await accounts.call('POST', `/factors/${id}/challenge`, { bearer, body: {} })
  const body = { challenge_id: challenge.body.id, code: totpCode(secret) }
  return accounts.call('POST', `/factors/${id}/verify`, { bearer, body })
}

async function anAccountWithFactor() {
  const account = await anAccount()
  const { id, totp } = (await enrol(account.access)).body
  const factor = { id, secret: totp.secret }
  const { body } = await show(account.access, factor)
  return { email: account.email, factor, ...tokensIn(body) }
}

/** Returns the token that the same browser holds some minutes after the last proof. */
async function later({ email, refresh }: Unlocked, minutes: number): Promise<string> {
  await accounts.database.owner.query(
    `update auth.mfa_amr_claims set updated_at = updated_at - make_interval(mins => $2)
     where session_id in (select s.id from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1)`,
    [email, minutes],
  )
  const body = { refresh_token: refresh }
  return tokensIn((await accounts.call('POST', '/token?grant_type=refresh_token', { body })).body).access
}

const needsProof = { status: 400, body: { error_code: 'reauthentication_needed' } }

it('refuses to add a first factor eleven minutes after the sign-in, and adds it after nine', async () => {
  const left = await anAccount()
  const right = await anAccount()

  expect(await enrol(await later(left, 11))).toMatchObject(needsProof)
  expect(await enrol(await later(right, 9))).toMatchObject({ status: 200 })
})

it('refuses to create recovery codes, and to add or remove a factor, without a recent proof', async () => {
  const owner = await anAccountWithFactor()
  const bearer = await later(owner, 11)

  expect(await accounts.call('POST', '/factors/recovery-codes', { bearer })).toMatchObject(needsProof)
  expect(await enrol(bearer)).toMatchObject(needsProof)
  expect(await accounts.call('DELETE', `/factors/${owner.factor.id}`, { bearer })).toMatchObject(needsProof)

  const proven = tokensIn((await show(bearer, owner.factor)).body).access
  expect((await accounts.call('POST', '/factors/recovery-codes', { bearer: proven })).status).toBe(200)
  expect((await enrol(proven)).status).toBe(200)
  expect((await accounts.call('DELETE', `/factors/${owner.factor.id}`, { bearer: proven })).status).toBe(200)
})

it('accepts the password again as the proof of an account without a factor', async () => {
  const left = await anAccount()
  await later(left, 11)

  const { access } = tokensIn((await accounts.signIn(left.email)).body)

  expect((await enrol(access)).status).toBe(200)
})

it('removes an unfinished factor without a recent proof', async () => {
  const owner = await anAccountWithFactor()
  const { body } = await enrol(owner.access)

  const answer = await accounts.call('DELETE', `/factors/${body.id}`, { bearer: await later(owner, 11) })

  expect(answer.status).toBe(200)
})

it('does not count the first code of a new factor as a proof', async () => {
  const left = await anAccount()
  const { id, totp } = (await enrol(left.access)).body
  // The key was created nine minutes after the proof and is used two minutes later.
  const bearer = await later(left, 11)

  const { access } = tokensIn((await show(bearer, { id, secret: totp.secret })).body)

  expect(await accounts.call('POST', '/factors/recovery-codes', { bearer: access })).toMatchObject(needsProof)
  const proven = tokensIn((await show(access, { id, secret: totp.secret })).body).access
  expect((await accounts.call('POST', '/factors/recovery-codes', { bearer: proven })).status).toBe(200)
})

it.each(['totp', 'phone', 'webauthn'])(
  'does not set up a factor (%s) that was enrolled more than ten minutes before',
  async (type) => {
    const { access } = await anAccount()
    const enrolledBefore = async (minutes: number) => {
      const { id } = (await enrol(access, type)).body
      await accounts.database.owner.query(
        'update auth.mfa_factors set created_at = now() - make_interval(mins => $2) where id = $1',
        [id, minutes],
      )
      return accounts.call('POST', `/factors/${id}/challenge`, { bearer: access, body: {} })
    }

    expect(await enrolledBefore(9)).toMatchObject({ status: 200 })
    expect(await enrolledBefore(11)).toMatchObject({
      status: 404,
      body: { error_code: 'mfa_factor_not_found' },
    })
  },
)

it('refuses the first code of an authenticator app whose key was left on the screen for more than ten minutes', async () => {
  const { access } = await anAccount()
  const { id, totp } = (await enrol(access)).body
  const challenge = await accounts.call('POST', `/factors/${id}/challenge`, { bearer: access, body: {} })
  await accounts.database.owner.query(
    `update auth.mfa_factors set created_at = now() - interval '11 minutes' where id = $1`,
    [id],
  )

  const body = { challenge_id: challenge.body.id, code: totpCode(totp.secret) }
  const answer = await accounts.call('POST', `/factors/${id}/verify`, { bearer: access, body })

  expect(answer).toMatchObject({ status: 404, body: { error_code: 'mfa_factor_not_found' } })
  expect((await enrol(access)).status).toBe(200)
})
