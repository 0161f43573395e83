import type * as Argon2 from '@node-rs/argon2'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

import { runs } from '#test/property-runs.ts'
import { type AttackedAccounts, openAttackedAccounts, unlimited } from './attacked-accounts.ts'
import { attackerSteps, tryAll } from './interleavings/attacker.ts'
import { type ContestedAccount, openContestedAccount, sessionIds } from './interleavings/contested-account.ts'
import { getBackIn, ownerSteps } from './interleavings/owner.ts'

// Thousands of passwords: hashed as the service does, with the least work that argon2 allows.
vi.mock('@node-rs/argon2', async (original) => {
  const argon2 = await original<typeof Argon2>()
  const least = { memoryCost: 8, timeCost: 1, parallelism: 1 }
  return { ...argon2, hash: (password: string) => argon2.hash(password, least) }
})

let accounts: AttackedAccounts
beforeAll(async () => {
  accounts = await openAttackedAccounts({ limits: unlimited })
})
afterAll(() => accounts.close())

/** Each on an account of its own, at the same time: most of a step is waiting for the database. */
const AT_ONCE = 4
const RUNS = 40
const STEPS = { minLength: 90, maxLength: 170, size: 'max' } as const
const SEED = Number(process.env['PROPERTY_SEED'] ?? Date.now() % 2 ** 31)

const pick = fc.nat(999_999)
const step = fc.oneof(
  fc.record({ who: fc.constant('owner' as const), what: fc.constantFrom(...Object.keys(ownerSteps)), pick }),
  {
    weight: 2,
    arbitrary: fc.record({
      who: fc.constant('attacker' as const),
      what: fc.constantFrom(...Object.keys(attackerSteps)),
      pick,
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

interface Look {
  email: string
  isProtected: boolean
  /** What an attacker who has shown no factor may not change on an account that has one. */
  standing: unknown
  attackerFactors: string[]
  raisedSessions: string[]
}

async function lookAt({ id, owner, attacker }: ContestedAccount): Promise<Look> {
  const { rows } = await accounts.database.owner.query<Look>(
    `select email, exists (select from auth.mfa_factors f where f.user_id = u.id and f.status = 'verified') as "isProtected",
       jsonb_build_array(email, encrypted_password, email_change, raw_user_meta_data,
         array(select f.id || f.status from auth.mfa_factors f where f.user_id = u.id order by 1),
         array(select s.id || s.aal from auth.sessions s where s.user_id = u.id and s.id = any ($2) order by 1),
         array(select code_hash || (used_at is null) from auth.recovery_codes r where r.user_id = u.id order by 1)) as standing,
       array(select f.id::text from auth.mfa_factors f
         where f.user_id = u.id and f.status = 'verified' and f.id = any ($3)) as "attackerFactors",
       array(select s.id::text from auth.sessions s
         where s.user_id = u.id and s.aal <> 'aal1' and s.id = any ($4)) as "raisedSessions"
     from auth.users u where u.id = $1`,
    [id, sessionIds(owner), attacker.factors.map((factor) => factor.id), sessionIds(attacker)],
  )
  if (!rows[0]) throw new Error('the account is gone')
  return rows[0]
}

/** Takes a step and checks what it left. Returns the look for the next step. */
async function take(
  account: ContestedAccount,
  before: Look,
  { who, what, pick: choice }: Step,
): Promise<Look> {
  await (who === 'owner' ? ownerSteps : attackerSteps)[what]?.(account, choice)
  const after = await lookAt(account)
  if (who === 'attacker' && before.isProtected) expect(after.standing).toEqual(before.standing)
  // A known password may give the attacker a session; it never gives the address, a verified factor, or aal2.
  expect(after).toMatchObject({ attackerFactors: [], raisedSessions: [] })
  expect(account.owner.mailboxes).toContain(after.email)
  return after
}

/** What was begun before the owner chose a new password. */
async function pendingOf({ id }: ContestedAccount): Promise<unknown> {
  const { rows } = await accounts.database.owner.query(
    `select coalesce(email_change, '') as change,
       (select count(*)::int from auth.one_time_tokens t where t.user_id = u.id) as links,
       (select count(*)::int from auth.flow_state f where f.user_id = u.id) as flows
     from auth.users u where u.id = $1`,
    [id],
  )
  return rows[0]
}

async function requireOwnerGetsBackIn(account: ContestedAccount): Promise<void> {
  const session = await getBackIn(account)
  const { body } = await accounts.call('GET', '/user', { bearer: session?.access })
  expect(body.id).toBe(account.id)
  expect(await pendingOf(account)).toEqual({ change: '', links: 0, flows: 0 })
  expect(await tryAll(account)).toEqual([])
}

const start = fc.record({
  knowsPassword: fc.boolean(),
  hasSession: fc.boolean(),
  hasFactor: fc.boolean(),
  isRegisteredByAttacker: fc.boolean(),
})
const history = fc.record({ start, steps: fc.array(step, STEPS) })
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never

async function play({ start: given, steps }: History): Promise<number> {
  const account = await openContestedAccount(accounts, given)
  let look = await lookAt(account)
  for (const one of steps) look = await take(account, look, one)
  await requireOwnerGetsBackIn(account)
  return steps.length
}

it(`leaves an account with its owner in every interleaving of what owner and attacker do (seed ${SEED})`, async () => {
  let taken = 0
  const histories = fc.array(history, { minLength: AT_ONCE, maxLength: AT_ONCE })
  const property = fc.asyncProperty(histories, async (some) => {
    accounts.mails.length = 0
    const played = await Promise.allSettled(some.map(play))
    for (const one of played) {
      if (one.status === 'rejected') throw one.reason
      taken += one.value
    }
  })
  await fc.assert(property, { seed: SEED, endOnFailure: !process.env['PROPERTY_SHRINK'], ...runs(RUNS) })
  console.info(`${taken} steps, seed ${SEED}`)
}, 900_000)
