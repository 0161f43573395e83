import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import {
  type AttackedAccounts,
  isSignedIn,
  openAttackedAccounts,
  secretIn,
  type Tokens,
  unlimited,
} from './attacked-accounts.ts'

/**
 * The attack: an intruder has pending links, codes or a change of address. The owner notices and changes the password; one
 * of the old links then lets the intruder back in.
 */
let accounts: AttackedAccounts
beforeAll(async () => {
  accounts = await openAttackedAccounts({ limits: unlimited })
})
afterAll(() => accounts.close())

const VERIFIER = 'v'.repeat(43)
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url')
const NEW_PASSWORD = 'fresh-water-43'
let people = 0

/** An account with a link, a code, a PKCE flow and a change of address, all pending. */
async function anAccountWithPendingLinks() {
  people += 1
  const email = `owner${people}@example.com`
  const tokens = await accounts.signUpVerified(email)
  await accounts.call('POST', '/recover', {
    body: { email, code_challenge: CHALLENGE, code_challenge_method: 's256' },
  })
  const followed = await accounts.call('POST', accounts.mailTo(email, 'recovery').link ?? '')
  const flowCode = new URL(followed.location ?? '').searchParams.get('code')
  await accounts.call('POST', '/recover', { body: { email } })
  await accounts.call('GET', '/reauthenticate', { bearer: tokens.access })
  await accounts.call('PUT', '/user', {
    bearer: tokens.access,
    body: { email: `thief${people}@example.com` },
  })
  return { email, tokens, flowCode, recovery: accounts.mailTo(email, 'recovery') }
}

type Pending = Awaited<ReturnType<typeof anAccountWithPendingLinks>>

/** Tries all pending links, codes and flows as the intruder. */
async function tryEverything({ email, flowCode, recovery }: Pending) {
  const change = [
    accounts.mailTo(email, 'email_change_current'),
    accounts.mailTo(`thief${people}@example.com`),
  ]
  return {
    code: await accounts.call('POST', '/verify', { body: { type: 'recovery', email, token: recovery.code } }),
    link: await accounts.call('POST', recovery.link ?? ''),
    secret: await accounts.call('POST', '/verify', {
      body: { type: 'recovery', token_hash: secretIn(recovery) },
    }),
    flow: await accounts.call('POST', '/token?grant_type=pkce', {
      body: { auth_code: flowCode, code_verifier: VERIFIER },
    }),
    oldMailbox: await accounts.call('POST', change[0]?.link ?? ''),
    newMailbox: await accounts.call('POST', change[1]?.link ?? ''),
  }
}

async function expectNothingWorks(pending: Pending, email: string) {
  const tried = await tryEverything(pending)
  const hits = Object.entries(tried).flatMap(([name, answer]) => (isSignedIn(answer) ? [name] : []))
  const { rows } = await accounts.database.owner.query(
    'select email, email_change from auth.users where email = $1',
    [email],
  )
  expect(hits).toEqual([])
  expect(rows).toEqual([{ email, email_change: '' }])
}

const isAlive = async ({ access }: Tokens) =>
  (await accounts.call('GET', '/user', { bearer: access })).status === 200

describe('a pending link, code, flow or change of address', () => {
  it('invalidates pending links and codes when the owner changes the password', async () => {
    const pending = await anAccountWithPendingLinks()
    const { status } = await accounts.call('PUT', '/user', {
      bearer: pending.tokens.access,
      body: { password: NEW_PASSWORD },
    })

    expect(status).toBe(200)
    expect(await isAlive(pending.tokens)).toBe(true)
    await expectNothingWorks(pending, pending.email)
  })

  it('invalidates pending links and ends other sessions when the owner recovers the account', async () => {
    const pending = await anAccountWithPendingLinks()
    const { body } = await accounts.call('POST', '/verify', {
      body: { type: 'recovery', token_hash: secretIn(pending.recovery) },
    })
    await accounts.call('POST', '/recover', { body: { email: pending.email } })
    const again = accounts.mailTo(pending.email, 'recovery')
    await accounts.call('PUT', '/user', { bearer: body.access_token, body: { password: NEW_PASSWORD } })

    expect(await isAlive(pending.tokens)).toBe(false)
    await expectNothingWorks({ ...pending, recovery: again }, pending.email)
  })

  it('invalidates pending links and ends all sessions, also with a second factor, when an administrator sets a password', async () => {
    const pending = await anAccountWithPendingLinks()
    const { body } = await accounts.call('GET', '/user', { bearer: pending.tokens.access })
    await accounts.database.owner.query(`update auth.sessions set aal = 'aal2' where user_id = $1`, [body.id])
    const { status } = await accounts.call('PUT', `/admin/users/${body.id}`, {
      bearer: accounts.keys.secret,
      body: { password: NEW_PASSWORD },
    })

    expect(status).toBe(200)
    expect(await isAlive(pending.tokens)).toBe(false)
    await expectNothingWorks(pending, pending.email)
  })

  it('invalidates pending links and codes when the account’s address changes', async () => {
    const pending = await anAccountWithPendingLinks()
    const moved = `moved${people}@example.com`
    await accounts.call('PUT', '/user', { bearer: pending.tokens.access, body: { email: moved } })
    await accounts.call('POST', accounts.mailTo(pending.email, 'email_change_current').link ?? '')
    const whole = await accounts.call('POST', accounts.mailTo(moved).link ?? '')

    expect(isSignedIn(whole)).toBe(true)
    await expectNothingWorks(pending, moved)
  })
})

it('completes only the PKCE flow that the followed link belongs to', async () => {
  people += 1
  const email = `pkce${people}@example.com`
  await accounts.signUpVerified(email)
  const ask = (challenge: string) =>
    accounts.call('POST', '/recover', {
      body: { email, code_challenge: challenge, code_challenge_method: 's256' },
    })
  await ask(CHALLENGE)
  const { link } = accounts.mailTo(email, 'recovery')
  // The intruder's flow is newer than the owner's when the owner follows the link of the owner's flow.
  const { rows } = await accounts.database.owner.query<{ id: string }>(
    'select id from auth.users where email = $1',
    [email],
  )
  await accounts.database.owner.query(
    `insert into auth.flow_state (id, user_id, auth_code, code_challenge, code_challenge_method, provider_type, authentication_method)
     values (gen_random_uuid(), $1, null, $2, 's256', 'email', 'recovery')`,
    [rows[0]?.id, createHash('sha256').update('i'.repeat(43)).digest('base64url')],
  )
  const followed = await accounts.call('POST', link ?? '')
  const code = new URL(followed.location ?? '').searchParams.get('code')

  const owner = await accounts.call('POST', '/token?grant_type=pkce', {
    body: { auth_code: code, code_verifier: VERIFIER },
  })

  expect(owner.status).toBe(200)
})
