import { createHash } from 'node:crypto'
import type { PoolClient } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { setPassword } from '#backend/auth/passwords/set-password.ts'
import { hashPassword } from '#backend/auth/passwords/hash-password.ts'
import {
  type AttackResponse,
  type AttackedAccounts,
  openAttackedAccounts,
  PASSWORD,
  secretIn,
} from './attacked-accounts.ts'
import { raceIn, type ConcurrentChange } from './race.ts'

/**
 * The attack: sign in repeatedly with a known password, so that one sign-in runs while the owner changes it. The new session
 * must not outlive the change.
 */
let accounts: AttackedAccounts
beforeAll(async () => {
  accounts = await openAttackedAccounts()
})
afterAll(() => accounts.close())

let people = 0
async function anAccount() {
  people += 1
  const email = `racer${people}@example.com`
  const tokens = await accounts.signUp(email)
  const { rows } = await accounts.database.owner.query<{ id: string }>(
    'select id from auth.users where email = $1',
    [email],
  )
  return { email, id: rows[0]?.id ?? '', tokens }
}

const race = (attack: () => Promise<AttackResponse>, change: ConcurrentChange) =>
  raceIn(accounts.database, attack, change)

async function countSessions(id: string): Promise<number> {
  const { rowCount } = await accounts.database.owner.query('select from auth.sessions where user_id = $1', [
    id,
  ])
  return rowCount ?? 0
}

const lock = (id: string) => (client: PoolClient) =>
  client.query('select from auth.users where id = $1 for no key update', [id])
const newPassword = (id: string) => async (client: PoolClient) =>
  setPassword(client, { userId: id, passwordHash: await hashPassword('another-water-43') })

it('opens no session for the old password during a password change', async () => {
  const { email, id } = await anAccount()

  const answer = await race(() => accounts.signIn(email), { change: lock(id), finish: newPassword(id) })

  expect(answer).toMatchObject({ status: 400, body: { error_code: 'invalid_credentials' } })
  expect(await countSessions(id)).toBe(0)
})

it('opens no session for an account during a ban', async () => {
  const { email, id } = await anAccount()
  const ban = (client: PoolClient) =>
    client.query(`update auth.users set banned_until = now() + interval '1 hour' where id = $1`, [id])

  const answer = await race(() => accounts.signIn(email), { change: lock(id), finish: ban })

  expect(answer.body).toMatchObject({ error_code: 'user_banned' })
  expect(await countSessions(id)).toBe(1)
})

it('issues no tokens to a session refresh that waits for a password change', async () => {
  const { id, tokens } = await anAccount()
  const body = { refresh_token: tokens.refresh }

  const answer = await race(() => accounts.call('POST', '/token?grant_type=refresh_token', { body }), {
    change: newPassword(id),
    finish: async () => undefined,
  })

  expect(answer).toMatchObject({ status: 400, body: { error_code: 'refresh_token_not_found' } })
})

it('does not exchange a PKCE code during a password change, and causes no deadlock', async () => {
  const { email, id } = await anAccount()
  const verifier = 'v'.repeat(43)
  const challenge = {
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 's256',
  }
  await accounts.call('POST', '/recover', { body: { email, ...challenge } })
  const link = await accounts.call(
    'GET',
    `/verify?type=recovery&token=${secretIn(accounts.mailTo(email, 'recovery'))}`,
  )
  const body = {
    auth_code: new URL(link.location ?? '').searchParams.get('code'),
    code_verifier: verifier,
  }
  expect(body.auth_code).not.toBeNull()

  const answer = await race(() => accounts.call('POST', '/token?grant_type=pkce', { body }), {
    change: lock(id),
    finish: newPassword(id),
  })

  expect(answer.body).toMatchObject({ error_code: 'flow_state_not_found' })
  expect(await countSessions(id)).toBe(0)
})

it('accepts two concurrent sign-ins while a sign-in replaces the bcrypt hash', async () => {
  const { email, id } = await anAccount()
  const bcrypt = await import('bcryptjs')
  await accounts.database.owner.query('update auth.users set encrypted_password = $2 where id = $1', [
    id,
    await bcrypt.hash(PASSWORD, 4),
  ])

  const answers = await Promise.all([accounts.signIn(email), accounts.signIn(email)])

  expect(answers.map(({ status }) => status)).toEqual([200, 200])
})
