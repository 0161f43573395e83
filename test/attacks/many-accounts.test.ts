import { afterAll, beforeAll, expect, it } from 'vitest'

import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { popper } from '#test/shopping.ts'
import { callsFrom } from './from-address.ts'

/** The attack: use many accounts, which cost nothing, so that limits of one account do not count. */
let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ trustProxy: 1 })
})
afterAll(() => shop.close())

async function aToken(): Promise<string> {
  const { client } = await shop.signUp()
  const { data } = await client.auth.getSession()
  return data.session?.access_token ?? ''
}

it('leaves connections and turns of the checkout for others while the accounts of one address make slow calls', async () => {
  const { owner } = shop.database
  await owner.query(`
    create function public.wait_for_test() returns void language sql volatile as $$ select pg_advisory_xact_lock_shared(20) $$;
    grant execute on function public.wait_for_test() to authenticated;
    create function private.wait_in_turn() returns trigger language plpgsql as $$
      begin perform pg_advisory_xact_lock_shared(21); return new; end $$;
    create trigger a_slow_line before insert on public.cart_items
      for each row when (new.quantity = 999) execute function private.wait_in_turn();
    notify pgrst, 'reload schema'`)
  const attackers = await Promise.all(Array.from({ length: 5 }, aToken))
  const customer = await aToken()
  const countWaiting = async () => {
    const { rows } = await owner.query(
      `select count(*) filter (where objid = 20)::int as calls, count(*) filter (where objid = 21)::int as turns
       from pg_locks
       where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    )
    return rows[0]
  }
  const holder = await owner.connect()
  await holder.query('select pg_advisory_lock(20), pg_advisory_lock(21)')
  const call = callsFrom(shop, '192.0.2.1')
  const slow = attackers.flatMap((token) => [
    call('/rest/v1/cart_items', { token, body: { ...popper, quantity: 999 } }),
    ...Array.from({ length: 7 }, () => call('/rest/v1/rpc/wait_for_test', { token, body: {} })),
  ])
  try {
    // Of ten connections and five turns. Visitors of the address may hold two more connections.
    const shares = { calls: 4, turns: 3 }
    await expect.poll(countWaiting, { timeout: 20_000 }).toEqual(shares)

    const others = callsFrom(shop, '192.0.2.2')
    const quote = await others('/rest/v1/rpc/quote_cart', { token: customer, body: {} })
    const addition = await others('/rest/v1/cart_items', {
      token: customer,
      body: { ...popper, quantity: 1 },
    })

    expect([quote.status, addition.status]).toEqual([200, 201])
    expect(await countWaiting()).toEqual(shares)
  } finally {
    await holder.query('select pg_advisory_unlock_all()')
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
