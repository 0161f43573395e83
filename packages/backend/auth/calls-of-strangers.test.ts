import { afterAll, beforeAll, expect, it } from 'vitest'

import { openAuth, PUBLIC_URL, type TestAuth } from '#backend/testing/auth.ts'
import { DEFAULT_LIMITS } from './limits/default-limits.ts'

const EMAIL = 'thandi@example.com'
const PASSWORD = 'salt-water-42'

/** What a stranger may call, with the address of an account. */
const CALLS = [
  ['/signup', { email: EMAIL, password: PASSWORD }],
  ['/recover', { email: EMAIL }],
  ['/otp', { email: EMAIL }],
  ['/magiclink', { email: EMAIL }],
  ['/resend', { type: 'signup', email: EMAIL }],
  ['/token?grant_type=password', { email: EMAIL, password: PASSWORD }],
] as const

let auth: TestAuth
beforeAll(async () => {
  auth = await openAuth()
  await auth.client().auth.signUp({ email: EMAIL, password: PASSWORD })
})
afterAll(() => auth.close())

function call(path: string, body: object, settings: Parameters<TestAuth['anotherProcess']>[0] = {}) {
  const api = auth.anotherProcess({ autoconfirm: false, ...settings })
  return api.request(`${PUBLIC_URL}/auth/v1${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.7' },
  })
}

it.each(CALLS)('limits how often one network calls POST %s', async (path, body) => {
  const limits = { ...DEFAULT_LIMITS, attemptsPerAddress: { tries: 1, periodSeconds: 1e6 } }
  await auth.database.owner.query(`delete from auth.rate_limits where bucket = 'attempt'`)
  await call('/recover', { email: 'another@example.com' }, { limits, minimumResponseMs: 0 })

  const answer = await call(path, body, { limits, minimumResponseMs: 0 })

  expect(answer.status).toBe(429)
  expect(await answer.json()).toMatchObject({ error_code: 'over_request_rate_limit' })
})

// Shorter calls would tell how far they came, and so whether the address has an account.
it.each([
  ['/signup', { email: EMAIL, password: PASSWORD }],
  ['/signup', { email: 'newcomer@example.com', password: PASSWORD }],
  ['/recover', { email: 'nobody@example.com' }],
  ['/otp', { email: 'nobody@example.com', create_user: false }],
  ['/resend', { type: 'signup', email: 'nobody@example.com' }],
  ['/verify', { type: 'recovery', email: 'nobody@example.com', token: '123456' }],
])('answers POST %s with %j no sooner than after the minimum duration', async (path, body) => {
  const start = performance.now()
  await call(path, body, { minimumResponseMs: 300 })

  // Timers may fire a millisecond early.
  expect(performance.now() - start).toBeGreaterThan(298)
})

it('answers a sign-up with the address of a verified account as one with a new address', async () => {
  const email = 'verified@example.com'
  await auth.client().auth.signUp({ email, password: PASSWORD })
  await auth.database.owner.query(
    `insert into auth.mailbox_proofs (user_id, email, method) select id, email, 'confirmation' from auth.users where email = $1`,
    [email],
  )

  const known = await call('/signup', { email, password: 'another-password-1' })
  const unknown = await call('/signup', { email: 'stranger@example.com', password: PASSWORD })

  expect([known.status, unknown.status]).toEqual([200, 200])
  expect(await known.json()).toMatchObject({ email, id: expect.any(String), user_metadata: {} })
  expect(auth.mails.filter(({ to }) => to === email)).toEqual([])
})

it.each([
  ['/signup', { password: PASSWORD }, { autoconfirm: false }, [200, 429, 429]],
  ['/signup', { password: PASSWORD }, { autoconfirm: true }, [422, 422, 422]],
  ['/recover', {}, {}, [200, 429, 429]],
  ['/otp', {}, {}, [200, 429, 429]],
  ['/resend', { type: 'signup' }, {}, [200, 429, 429]],
])('sends one mail a minute to the address of POST %s with %j at a shop with %j', async (...given) => {
  const [path, body, settings, statuses] = given
  const email = `${crypto.randomUUID()}@example.com`
  await auth.client().auth.signUp({ email, password: PASSWORD })

  const answers: number[] = []
  for (let times = 0; times < 3; times += 1) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { status } = await call(path, { email, ...body }, { ...settings, minimumResponseMs: 0 })
    answers.push(status)
  }

  expect(answers).toEqual(statuses)
  expect(auth.mails.filter(({ to }) => to === email)).toHaveLength(1)
})

const newAccount = () => ({ email: `${crypto.randomUUID()}@example.com`, password: PASSWORD })
const twoSignUps = { ...DEFAULT_LIMITS, signUpsPerAddress: { tries: 2, periodSeconds: 1e6 } }

it('limits the accounts that one network creates, but not attempts with an address that is taken', async () => {
  await auth.database.owner.query(`delete from auth.rate_limits where bucket = 'sign-up'`)
  const settings = { limits: twoSignUps, minimumResponseMs: 0, autoconfirm: true }
  const taken = { email: EMAIL, password: PASSWORD }

  const statuses: number[] = []
  for (const body of [newAccount(), taken, taken, newAccount(), newAccount()]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    statuses.push((await call('/signup', body, settings)).status)
  }

  expect(statuses).toEqual([200, 422, 422, 200, 429])
  expect((await call('/otp', { email: newAccount().email }, settings)).status).toBe(429)
  expect((await call('/token?grant_type=password', taken, settings)).status).toBe(200)
})

it('does not tell by the limit of accounts whether an address is new where sign-ups are confirmed', async () => {
  const { email } = newAccount()
  await auth.client().auth.signUp({ email, password: PASSWORD })
  await auth.database.owner.query(`delete from auth.rate_limits where bucket = 'sign-up'`)
  const settings = { limits: twoSignUps, minimumResponseMs: 0 }
  await call('/signup', newAccount(), settings)
  await call('/signup', newAccount(), settings)

  const known = await call('/signup', { email, password: PASSWORD }, settings)
  const unknown = await call('/signup', newAccount(), settings)

  expect([known.status, unknown.status]).toEqual([429, 429])
})
