import { afterEach, expect, it } from 'vitest'

import type { AuthSettingsInput } from '#backend/auth/settings.ts'
import { openAuth, PUBLIC_URL, type TestAuth } from '#backend/testing/auth.ts'
import { countStatuses } from '#backend/testing/count-statuses.ts'

const PASSWORD = 'Correct-Horse-7'
const OWNER = '192.0.2.1'

let auth: TestAuth | undefined
afterEach(() => auth?.close())

it('lets the owner sign in after twenty wrong passwords from another network', async () => {
  const signIn = await shopWithOwner()

  const guesses = await Promise.all(
    Array.from({ length: 25 }, (_, at) => signIn('198.51.100.7', `guess ${at}`)),
  )

  expect(countStatuses(guesses)).toEqual({ 400: 20, 429: 5 })
  expect((await signIn(OWNER, PASSWORD)).status).toBe(200)
  expect((await signIn('203.0.113.9', PASSWORD)).status).toBe(200)
  expect((await signIn('198.51.100.7', PASSWORD)).status).toBe(429)
})

it('lets the owner sign in at once from a known address while many addresses guess passwords', async () => {
  // Regains no attempt while a slow machine hashes a hundred passwords.
  const signIn = await shopWithOwner({ passwordsPerAccount: { tries: 100, periodSeconds: 1_500_000 } })

  const guesses = await guessFromMany(signIn, 130)

  // An account accepts a hundred at once; further guesses wait in the queue or are rejected.
  expect(guesses.filter(({ status }) => status === 400).length).toBe(100)
  expect((await signIn(OWNER, PASSWORD)).status).toBe(200)
})

it('slows down distributed password guessing, and queues the owner’s sign-in from a new address', async () => {
  const slow = { passwordsPerAccount: { tries: 3, periodSeconds: 6 } }
  const signIn = await shopWithOwner(slow)
  const begun = Date.now()
  await Promise.all(Array.from({ length: 3 }, (_, at) => signIn(`198.51.100.${at}`, 'guess')))

  const asked = performance.now()
  const answer = await signIn('203.0.113.9', PASSWORD)

  expect(answer.status).toBe(200)
  const waitedMs = performance.now() - asked
  // An attempt beyond the three waits until the bucket has drained, by one in two seconds. A timer may fire a little early.
  expect(waitedMs).toBeGreaterThan(((await accountBucket()).level - 3) * 2000 - 20)
  const burst = await Promise.all(Array.from({ length: 12 }, (_, at) => signIn(`198.51.101.${at}`, 'guess')))
  const accepted = burst.filter(({ status }) => status !== 429).length
  const drained = ((await accountBucket()).updated_at.getTime() - begun) / 2000
  // Three attempts, two in the queue, and those that drained since the first.
  expect(4 + accepted).toBeLessThanOrEqual(5.01 + drained)
})

it('returns the same sign-in response for an e-mail address without an account', async () => {
  const signIn = await shopWithOwner({ passwordsPerAccountAndAddress: { tries: 3, periodSeconds: 3600 } })

  const answersFor = async (email: string) => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => signIn('198.51.100.7', 'guess', email)))
    return Promise.all(answers.map(async (answer) => `${answer.status} ${await answer.text()}`))
  }
  const [known, unknown] = [await answersFor('owner@example.com'), await answersFor('unknown@example.com')]

  expect(known.toSorted()).toEqual(unknown.toSorted())
})

it('accepts as many guesses as the rate limit has credited since it was reached', async () => {
  const signIn = await shopWithOwner({ passwordsPerAccountAndAddress: { tries: 4, periodSeconds: 3600 } })
  const guess = (count: number) =>
    Promise.all(Array.from({ length: count }, () => signIn('198.51.100.7', 'guess')))
  expect(countStatuses(await guess(5))).toEqual({ 400: 4, 429: 1 })

  await auth?.database.owner.query(
    "update auth.rate_limits set updated_at = updated_at - interval '31 minutes'",
  )

  expect(countStatuses(await guess(5))).toEqual({ 400: 2, 429: 3 })
})

/** As the last accepted attempt left it. */
async function accountBucket(): Promise<{ level: number; updated_at: Date }> {
  const select = "select level, updated_at from auth.rate_limits where bucket = 'password of account'"
  const { rows } = (await auth?.database.owner.query(select)) ?? { rows: [] }
  return rows[0]
}

type SignIn = (address: string, password: string, email?: string) => Promise<Response>

/** The owner has signed up from `OWNER`. */
async function shopWithOwner(limits: AuthSettingsInput['limits'] = {}): Promise<SignIn> {
  const there = await openAuth({ limits })
  auth = there
  const post = (path: string, address: string, body: object) =>
    there.fetch(`${PUBLIC_URL}/auth/v1${path}`, {
      method: 'POST',
      headers: { 'X-Forwarded-For': address },
      body: JSON.stringify(body),
    })
  await post('/signup', OWNER, { email: 'owner@example.com', password: PASSWORD })
  return (address, password, email = 'owner@example.com') =>
    post('/token?grant_type=password', address, { email, password })
}

/** Does not wait for queued guesses. */
async function guessFromMany(signIn: SignIn, many: number): Promise<Response[]> {
  const answered: Response[] = []
  const guesses = Array.from({ length: many }, async (_, at) => {
    const answer = await signIn(`198.51.${100 + Math.floor(at / 200)}.${at % 200}`, 'guess')
    answered.push(answer)
  })
  // All but the two that may be queued.
  const settled = new Promise<void>((settle) => {
    const look = () => (answered.length >= many - 2 ? settle() : setTimeout(look, 20))
    look()
  })
  await Promise.race([settled, Promise.all(guesses)])
  return answered
}
