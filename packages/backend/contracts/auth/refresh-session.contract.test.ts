import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { openAuth, PUBLIC_URL, type TestAuth } from '#backend/testing/auth.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await openAuth()
})
afterAll(() => auth.close())

let people = 0
async function signUp() {
  people += 1
  const { data } = await auth
    .client()
    .auth.signUp({ email: `angler${people}@example.com`, password: 'salt-water-42' })
  if (!data.session) throw new Error('not signed up')
  return data.session
}

/** Refreshes in a new client that has only the token, like another tab. */
function refresh(token: string) {
  return auth.client().auth.refreshSession({ refresh_token: token })
}

async function ageToken(token: string, seconds: number): Promise<void> {
  await auth.database.owner.query(
    'update auth.refresh_tokens set updated_at = updated_at - make_interval(secs => $2) where token = $1',
    [token, seconds],
  )
}

async function nextToken(token: string): Promise<string> {
  const { data } = await refresh(token)
  if (!data.session) throw new Error('not refreshed')
  return data.session.refresh_token
}

it('makes refresh tokens of 120 random bits', async () => {
  const tokens = [(await signUp()).refresh_token, await nextToken((await signUp()).refresh_token)]

  // Each character has 5 bits.
  for (const token of tokens) expect(token).toMatch(/^[a-z2-7]{24}$/)
})

it('returns a new refresh token and keeps the same session', async () => {
  const session = await signUp()

  const { data, error } = await refresh(session.refresh_token)

  expect(error).toBeNull()
  expect(data.session?.refresh_token).not.toBe(session.refresh_token)
  expect(claimsOf(data.session?.access_token)['session_id']).toBe(
    claimsOf(session.access_token)['session_id'],
  )
  expect(data.session?.user.email).toBe(session.user.email)
})

it('returns the same refresh token to ten concurrent refreshes in two processes', async () => {
  const session = await signUp()
  const processes = [auth.anotherProcess(), auth.anotherProcess()]

  const answers = await Promise.all(
    Array.from({ length: 10 }, async (_, index) =>
      processes[index % 2]!.request(`${PUBLIC_URL}/auth/v1/token?grant_type=refresh_token`, {
        method: 'POST',
        body: JSON.stringify({ refresh_token: session.refresh_token }),
      }),
    ),
  )

  const tokens = await Promise.all(answers.map(async (answer) => (await answer.json()).refresh_token))
  expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200))
  expect(new Set(tokens).size).toBe(1)
})

it('accepts the previous refresh token late if the current token was never used', async () => {
  const session = await signUp()
  const active = await nextToken(session.refresh_token)
  await ageToken(session.refresh_token, 3600)

  const { data } = await refresh(session.refresh_token)

  expect(data.session?.refresh_token).toBe(active)
})

it('treats an older refresh token as stolen and ends the session', async () => {
  const session = await signUp()
  const second = await nextToken(session.refresh_token)
  const third = await nextToken(second)
  await ageToken(session.refresh_token, 11)

  const stolen = await refresh(session.refresh_token)
  const honest = await refresh(third)

  expect(stolen.error).toMatchObject({ status: 400, code: 'refresh_token_already_used' })
  expect(honest.error).toMatchObject({ status: 400, code: 'refresh_token_not_found' })
})

it('accepts an older refresh token within ten seconds', async () => {
  const session = await signUp()
  const second = await nextToken(session.refresh_token)
  const third = await nextToken(second)

  const { data } = await refresh(session.refresh_token)

  expect(data.session?.refresh_token).toBe(third)
})

it('refuses an unknown refresh token', async () => {
  const { error } = await refresh('aaaaaaaaaaaaaaaaaaaaaaaa')

  expect(error).toMatchObject({
    status: 400,
    code: 'refresh_token_not_found',
    message: 'Invalid Refresh Token: Refresh Token Not Found',
  })
})

it('refuses to refresh the session of a banned account', async () => {
  const session = await signUp()
  await auth.database.owner.query(
    `update auth.users set banned_until = now() + interval '1 hour' where id = $1`,
    [session.user.id],
  )

  const { error } = await refresh(session.refresh_token)

  expect(error).toMatchObject({ status: 400, code: 'user_banned' })
})

it('ends the current session, all others or all, by sign-out scope', async () => {
  const email = 'many-devices@example.com'
  const password = 'salt-water-42'
  await auth.client().auth.signUp({ email, password })
  const [phone, laptop, tablet] = [auth.client(), auth.client(), auth.client()]
  for (const device of [phone, laptop, tablet]) await device.auth.signInWithPassword({ email, password })
  const isSignedIn = async (device: typeof phone) => (await device.auth.getUser()).error === null

  await tablet.auth.signOut({ scope: 'local' })
  const afterLocal = [await isSignedIn(phone), await isSignedIn(laptop)]
  await phone.auth.signOut({ scope: 'others' })
  const afterOthers = [await isSignedIn(phone), await isSignedIn(laptop)]
  await phone.auth.signOut()

  expect(afterLocal).toEqual([true, true])
  expect(afterOthers).toEqual([true, false])
  const left = await auth.database.owner.query(
    'select from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1',
    [email],
  )
  expect(left.rowCount).toBe(0)
})

it('refuses a refresh that waits while the session ends', async () => {
  const session = await signUp()
  const holder = await auth.database.owner.connect()
  await holder.query('begin')
  await holder.query('delete from auth.sessions where id = $1', [
    claimsOf(session.access_token)['session_id'],
  ])

  const waiting = refresh(session.refresh_token)
  await pause(20)
  await holder.query('commit')
  holder.release()

  expect((await waiting).error?.code).toBe('refresh_token_not_found')
})

function claimsOf(token = ''): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
}
