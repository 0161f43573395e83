import { databaseAt } from '@saltfreak/backend/testing'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { age } from '#test/aged-database.ts'
import { openShop, PASSWORD, type TestShop } from '#test/shop.ts'

// Each test moves every moment of the database.
let shop: TestShop
let superuser: Client
beforeEach(async () => {
  shop = await openShop()
  const { rows } = await shop.database.owner.query('select current_database() as name')
  superuser = new Client({ connectionString: databaseAt(inject('superuserUrl'), rows[0]?.name) })
  await superuser.connect()
})
afterEach(async () => {
  await superuser.end()
  await shop.close()
})

/** Deletes what has expired, as each hour, after `time` has passed. */
async function sweepAfter(time: string): Promise<void> {
  await age(superuser, time)
  await superuser.query(`select graphile_worker.add_job('sweep_expired')`)
  await shop.runJobs()
}

it('keeps the session of a customer who comes back within a year', async () => {
  const { client, email } = await shop.signUp()

  for (const visit of [1, 2, 3]) {
    // oxlint-disable no-await-in-loop -- one visit after the other
    await sweepAfter('5 months')
    const { data, error } = await client.auth.refreshSession()
    expect(error, `visit ${visit}`).toBeNull()
    expect(data.user?.email).toBe(email)
    // oxlint-enable no-await-in-loop
  }
})

it('keeps a link that was mailed an hour ago', async () => {
  const { email } = await shop.signUp()
  await shop.fetch('/auth/v1/recover', {
    method: 'POST',
    headers: { apikey: shop.keys.publishable },
    // Binds the link to a browser.
    body: JSON.stringify({ email, code_challenge: 'x'.repeat(43), code_challenge_method: 's256' }),
  })
  const before = await listLinks()

  await sweepAfter('1 hour')

  expect(before).toContainEqual({ token_type: 'recovery_token', code_challenge: 'x'.repeat(43) })
  expect(await listLinks()).toEqual(before)
})

it('knows a network for 180 days after the last sign-in from it', async () => {
  const { email } = await shop.signUp()

  await sweepAfter('179 days')
  expect((await shop.client().auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
  await sweepAfter('179 days')
  expect(await countNetworks()).toBe(1)

  await sweepAfter('2 days')
  expect(await countNetworks()).toBe(0)
})

it('counts wrong passwords of the last day', async () => {
  const { email } = await shop.signUp()
  await shop.client().auth.signInWithPassword({ email, password: 'wrong' })
  const before = await countLimits()

  await sweepAfter('20 hours')
  expect(before).toBeGreaterThan(0)
  expect(await countLimits()).toBe(before)

  await sweepAfter('5 hours')
  expect(await countLimits()).toBe(0)
})

async function countLimits(): Promise<number> {
  const { rows } = await superuser.query('select count(*)::int as limits from auth.rate_limits')
  return rows[0]?.limits
}

async function countNetworks(): Promise<number> {
  const { rows } = await superuser.query('select count(*)::int as networks from auth.known_networks')
  return rows[0]?.networks
}

async function listLinks(): Promise<object[]> {
  const { rows } = await superuser.query(
    `select token_type, code_challenge from auth.one_time_tokens t
     left join auth.mailed_codes c on c.token_id = t.id left join auth.flow_state f on f.id = c.flow_id`,
  )
  return rows
}
