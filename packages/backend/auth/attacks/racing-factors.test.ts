import { afterAll, beforeAll, expect, it } from 'vitest'

import { removeFactor } from '#backend/auth/factors/unenroll-factor.ts'
import { totpCode } from '#backend/auth/factors/totp.ts'
import { type AttackedAccounts, openAttackedAccounts, tokensIn, unlimited } from './attacked-accounts.ts'
import { raceIn } from './race.ts'

/** The attack: race an allowed call against the owner's change that forbids it. */
let accounts: AttackedAccounts
beforeAll(async () => {
  accounts = await openAttackedAccounts({ limits: unlimited })
})
afterAll(() => accounts.close())

interface App {
  id: string
  secret: string
}

async function enrol(bearer: string, name: string): Promise<App> {
  const body = { factor_type: 'totp', friendly_name: name }
  const answer = await accounts.call('POST', '/factors', { bearer, body })
  return { id: answer.body.id, secret: answer.body.totp.secret }
}

/** Returns the token after the step-up. Clears the used code first, as if half a minute had passed. */
async function show(bearer: string, { id, secret }: App): Promise<string> {
  await accounts.database.owner.query('delete from auth.totp_uses')
  const challenge = await accounts.call('POST', `/factors/${id}/challenge`, { bearer, body: {} })
  const body = { challenge_id: challenge.body.id, code: totpCode(secret) }
  return tokensIn((await accounts.call('POST', `/factors/${id}/verify`, { bearer, body })).body).access
}

const signIn = async (email: string) => tokensIn((await accounts.signIn(email)).body).access

async function userIdOf(bearer: string): Promise<string> {
  return (await accounts.call('GET', '/user', { bearer })).body.id
}

it('does not remove a second factor for a session whose own factor is removed concurrently', async () => {
  const email = 'two-apps@example.com'
  const first = await accounts.signUp(email)
  const stolen = await enrol(first.access, 'stolen phone')
  const owner = await show(first.access, stolen)
  const kept = await enrol(owner, 'tablet')
  await show(owner, kept)
  const thief = await show(await signIn(email), stolen)
  const id = await userIdOf(thief)

  const answer = await raceIn(
    accounts.database,
    () => accounts.call('DELETE', `/factors/${kept.id}`, { bearer: thief }),
    {
      async change(client) {
        await client.query('select from auth.users where id = $1 for no key update', [id])
        await client.query('select from auth.mfa_factors where id = $1 for update', [kept.id])
      },
      finish: (client) => removeFactor(client, stolen.id, null),
    },
  )

  expect(answer).toMatchObject({ status: 403, body: { error_code: 'session_not_found' } })
  const { body } = await accounts.call('GET', '/user', { bearer: owner })
  expect(body.factors).toMatchObject([{ id: kept.id, status: 'verified' }])
})

it('adds no second factor for a thief’s session while the owner’s first factor ends that session', async () => {
  const email = 'first-app@example.com'
  const { access: owner } = await accounts.signUp(email)
  const own = await enrol(owner, 'own')
  const thief = await signIn(email)
  const id = await userIdOf(thief)

  const answer = await raceIn(
    accounts.database,
    () =>
      accounts.call('POST', '/factors', {
        bearer: thief,
        body: { factor_type: 'totp', friendly_name: 'planted' },
      }),
    {
      change: (client) => client.query('select from auth.users where id = $1 for no key update', [id]),
      async finish(client) {
        await client.query(`update auth.mfa_factors set status = 'verified' where id = $1`, [own.id])
        await client.query(`update auth.sessions set aal = 'aal2' where user_id = $1`, [id])
      },
    },
  )

  expect(answer).toMatchObject({ status: 403, body: { error_code: 'insufficient_aal' } })
  const { rowCount } = await accounts.database.owner.query(
    'select from auth.mfa_factors where user_id = $1',
    [id],
  )
  expect(rowCount).toBe(1)
})
