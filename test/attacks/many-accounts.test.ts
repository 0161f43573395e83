import { afterAll, beforeAll, expect, it } from 'vitest'

import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { callsFrom } from './from-address.ts'

/** The attack: use many accounts, which cost nothing, so that limits of one account do not count. */
let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ trustProxy: 1, processes: 2 })
})
afterAll(() => shop.close())

async function aToken(): Promise<string> {
  const { client } = await shop.signUp()
  const { data } = await client.auth.getSession()
  return data.session?.access_token ?? ''
}

it('leaves connections for other customers while the accounts of one address make slow calls', async () => {
  const { owner } = shop.database
  await owner.query(`
    create function public.wait_for_test() returns void language sql volatile as $$ select pg_advisory_xact_lock_shared(20) $$;
    grant execute on function public.wait_for_test() to authenticated;
    notify pgrst, 'reload schema'`)
  const attackers = await Promise.all(Array.from({ length: 5 }, aToken))
  const customer = await aToken()
  const countWaiting = async () => {
    const { rows } = await owner.query(
      `select count(*)::int as calls from pg_locks
       where locktype = 'advisory' and objid = 20 and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    )
    return rows[0].calls
  }
  const holder = await owner.connect()
  await holder.query('select pg_advisory_lock(20)')
  const call = callsFrom(shop, '192.0.2.1')
  const slow = attackers.flatMap((token) =>
    Array.from({ length: 8 }, () => call('/rest/v1/rpc/wait_for_test', { token, body: {} })),
  )
  try {
    // The share of one of two processes.
    await expect.poll(countWaiting, { timeout: 20_000 }).toBe(6)

    const quote = await callsFrom(shop, '192.0.2.2')('/rest/v1/rpc/quote_cart', { token: customer, body: {} })

    expect(quote.status).toBe(200)
    expect(await countWaiting()).toBeLessThanOrEqual(6)
  } finally {
    await holder.query('select pg_advisory_unlock(20)')
    holder.release()
    await Promise.all(slow)
  }
})

it('cancels a customer’s read with patterns after two seconds, but neither other reads nor those of staff', async () => {
  await shop.database.owner.query(`
    create view public.time_limit as select current_setting('statement_timeout') as value;
    grant select on public.time_limit to authenticated;
    notify pgrst, 'reload schema'`)
  const customer = await shop.signUp()
  const packer = await shop.packer()
  const limitOf = async ({ client }: Person, filter: string) => {
    const { data } = await client.auth.getSession()
    const token = data.session?.access_token ?? ''
    const answer = await callsFrom(shop, '192.0.2.3')(`/rest/v1/time_limit?value=${filter}`, { token })
    return answer.json()
  }

  expect(await limitOf(customer, 'match.s')).toEqual([{ value: '2s' }])
  expect(await limitOf(customer, 'neq.0')).toEqual([{ value: '8s' }])
  expect(await limitOf(packer, 'match.s')).toEqual([{ value: '8s' }])
})
