import { hash } from 'bcryptjs'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { inTransaction } from '#backend/database/transaction.ts'
import { openAuth, type TestAuth } from '#backend/testing/auth.ts'
import { createUser, type UserToCreate } from './create-user.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await openAuth({
    limits: {
      attemptsPerAddress: { tries: 1000, periodSeconds: 60 },
      refreshesPerAddress: { tries: 3, periodSeconds: 3600 },
      passwordsPerAccountAndAddress: { tries: 3, periodSeconds: 3600 },
    },
  })
})
afterAll(() => auth.close())

const password = 'salt-water-42'

const createAccount = (user: UserToCreate) =>
  inTransaction(auth.database.owner, (client) => createUser(client, user))

async function storedHash(email: string): Promise<string> {
  const { rows } = await auth.database.owner.query(
    'select encrypted_password from auth.users where email = $1',
    [email],
  )
  return rows[0].encrypted_password
}

it('stores passwords as argon2id hashes', async () => {
  await createAccount({ email: 'Boss@example.com', password })

  expect(await storedHash('boss@example.com')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
})

it('accepts an imported bcrypt hash and replaces the hash at sign-in', async () => {
  await createAccount({ email: 'moved@example.com', password: 'another' })
  await auth.database.owner.query('update auth.users set encrypted_password = $1 where email = $2', [
    await hash(password, 4),
    'moved@example.com',
  ])

  const wrong = await auth
    .client()
    .auth.signInWithPassword({ email: 'moved@example.com', password: 'another' })
  const first = await auth.client().auth.signInWithPassword({ email: 'moved@example.com', password })
  const upgraded = await storedHash('moved@example.com')
  const second = await auth.client().auth.signInWithPassword({ email: 'moved@example.com', password })

  expect(wrong.error?.code).toBe('invalid_credentials')
  expect([first.error, second.error]).toEqual([null, null])
  expect(upgraded).toMatch(/^\$argon2id\$/)
})

it('rate-limits password attempts per address and account in all processes, even for unknown accounts', async () => {
  await createAccount({ email: 'target@example.com', password })
  const another = auth.anotherProcess()
  const tryAt = (index: number, email: string) =>
    another.request('http://localhost:3000/auth/v1/token?grant_type=password', {
      method: 'POST',
      body: JSON.stringify({ email, password: `guess ${index}` }),
    })

  for (const email of ['target@example.com', 'nobody@example.com']) {
    const both = await Promise.all(
      [0, 1].map((index) => auth.client().auth.signInWithPassword({ email, password: `guess ${index}` })),
    )
    const others = [await tryAt(2, email), await tryAt(3, email)]

    expect(both.map(({ error }) => error?.status)).toEqual([400, 400])
    expect(others.map(({ status }) => status)).toEqual([400, 429])
    expect(await others[1]?.json()).toMatchObject({ error_code: 'over_request_rate_limit' })
  }
})

it('resets the rate limit of wrong passwords after a correct password', async () => {
  await createAccount({ email: 'clumsy@example.com', password })

  for (let round = 0; round < 3; round += 1) {
    for (const attempt of ['wrong', 'wrong again', password]) {
      const { error } = await auth
        .client()
        .auth.signInWithPassword({ email: 'clumsy@example.com', password: attempt })
      expect(error?.code).toBe(attempt === password ? undefined : 'invalid_credentials')
    }
  }
})

it('uses as much processor time for an unknown account as for a wrong password', async () => {
  await createAccount({ email: 'timed@example.com', password })
  const another = auth.anotherProcess({})
  const guess = (email: string) =>
    another.request('http://localhost:3000/auth/v1/token?grant_type=password', {
      method: 'POST',
      body: JSON.stringify({ email, password: 'a guess' }),
    })
  await guess('warm-up@example.com')

  const known = await effortOf(() => guess('timed@example.com'))
  const unknown = await effortOf(() => guess('nobody-at-all@example.com'))

  // Without the dummy hash it would be a tenth.
  expect(unknown).toBeGreaterThan(known / 2)
})

/** Measures processor time, because other processes distort wall time. Repeats the work, because the time is counted in ticks. */
async function effortOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  // oxlint-disable-next-line no-await-in-loop -- sequential, as one attacker would
  for (let round = 0; round < 12; round += 1) await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
