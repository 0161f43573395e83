import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { placeOrder, type BuyerOrder } from '#test/buyer.ts'
import { CALLABLE } from '../../supabase/tests/access.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'

/**
 * The services cache a verified token for up to a minute, so the token of a session that has just ended still reaches
 * the database. private.has_aal2() looks the session up there, in every statement. The tables below name every function
 * for customers; the test fails until a new function is added to one of them.
 */

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
  // Each test places an order of its own.
  await shop.database.owner.query('update public.product_variants set stock_quantity = 100')
})
afterAll(() => shop.close())

const WORDING = 'Yes, mail me news and offers.'

interface Victim extends Person {
  order: BuyerOrder
  /** Calls `/rest/v1` with the thief's copy of the token, because the client clears it on sign-out. */
  call(path: string, body: object, method?: string): Promise<{ status: number; body: unknown }>
}

/** A customer with an unpaid order and a new cart. */
async function aVictim(): Promise<Victim> {
  const person = await shop.signUp()
  const order = await placeOrder(shop.database, person)
  const { data } = await person.client.auth.getSession()
  const headers = {
    apikey: shop.keys.publishable,
    authorization: `Bearer ${data.session?.access_token}`,
    'content-type': 'application/json',
    prefer: 'return=representation',
  }
  const call: Victim['call'] = async (path, body, method = 'POST') => {
    const answer = await shop.fetch(`/rest/v1/${path}`, { method, headers, body: JSON.stringify(body) })
    return { status: answer.status, body: JSON.parse((await answer.text()) || 'null') }
  }
  await call(`cart_items?user_id=eq.${person.userId}`, { quantity: 2 }, 'PATCH')
  await call('rpc/set_marketing_consent', { is_given: true, wording: WORDING })
  return { ...person, order, call }
}

const DELIVERY = {
  full_name: 'Thandi Botha',
  phone: '082 555 0148',
  address: '12 Beach Road',
  city: 'Kenton-on-Sea',
  state: 'Eastern Cape',
  zip_code: '6191',
  shipping_method: 'locker',
  locker_location: 'Kenton Spar',
}

/** Functions that work only once for the same victim. */
const ONCE = new Set(['cancel_own_order', 'close_account'])

/** Functions that read or change a customer's own data, with their parameters and the result for an ended session. */
const GUARDED: Record<string, { args(victim: Victim): object; answer: object }> = {
  cancel_own_order: { args: ({ order }) => ({ order_id: order.id }), answer: { status: 200, body: false } },
  close_account: { args: () => ({}), answer: { status: 401, body: { details: 'not_signed_in' } } },
  export_my_data: { args: () => ({}), answer: { status: 401, body: { details: 'not_signed_in' } } },
  has_verified_mailbox: { args: () => ({}), answer: { status: 401, body: { details: 'not_signed_in' } } },
  increment_promo_usage: {
    args: () => ({ code_id: crypto.randomUUID() }),
    answer: { status: 401, body: { details: 'not_signed_in' } },
  },
  marketing_consent: { args: () => ({}), answer: { status: 200, body: { is_pending: false } } },
  merge_cart: {
    args: () => ({ lines: [] }),
    answer: { status: 401, body: { details: 'not_signed_in' } },
  },
  own_reservations: { args: () => ({}), answer: { status: 401, body: { details: 'not_signed_in' } } },
  place_order: {
    args: ({ email }) => ({
      idempotency_key: crypto.randomUUID(),
      delivery: { ...DELIVERY, email },
      expected_total: 380,
    }),
    answer: { status: 401, body: { details: 'not_signed_in' } },
  },
  quote_cart: { args: () => ({}), answer: { status: 401, body: { details: 'not_signed_in' } } },
  set_marketing_consent: {
    args: () => ({ is_given: true, wording: WORDING }),
    answer: { status: 401, body: { details: 'not_signed_in' } },
  },
  get_order: {
    args: ({ order }) => ({ order_id: order.id }),
    answer: { status: 404, body: { details: 'order_not_found' } },
  },
  validate_promo_code: {
    args: () => ({ code_input: 'NOSUCHCODE' }),
    answer: { status: 401, body: { details: 'not_signed_in' } },
  },
}

/** Functions that an ended session may still call, with the reason. */
const OPEN: Record<string, string> = {
  must_add_second_factor: 'looks for the session itself, and changes nothing',
}

describe('the token of an ended or single-factor session', () => {
  let victim: Victim
  beforeEach(async () => {
    victim = await aVictim()
  })
  const endSession = () =>
    shop.database.owner.query('delete from auth.sessions where user_id = $1', [victim.userId])

  it('lists every database function that customers may call as guarded or open', () => {
    const names = Object.entries(CALLABLE)
      .filter(([, people]) => people.includes('customer') && !people.includes('visitor'))
      .map(([name]) => name)

    expect(names.toSorted()).toEqual([...Object.keys(GUARDED), ...Object.keys(OPEN)].toSorted())
  })

  it.each(Object.entries(GUARDED))(
    'rejects an ended session’s token in the first statement of %s',
    async (name, call) => {
      const before = await victim.call(`rpc/${name}`, call.args(victim))
      expect([200, 204]).toContain(before.status)
      expect(before).not.toMatchObject(call.answer)
      if (ONCE.has(name)) victim = await aVictim()

      await endSession()

      expect(await victim.call(`rpc/${name}`, call.args(victim))).toMatchObject(call.answer)
    },
  )

  it('rejects a session without the second factor in every guarded function', async () => {
    await shop.database.owner.query(
      `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
       values (gen_random_uuid(), $1, 'Phone', 'totp', 'verified', 'x', now(), now())`,
      [victim.userId],
    )

    for (const [name, call] of Object.entries(GUARDED)) {
      // oxlint-disable-next-line no-await-in-loop -- one session makes one call after the other
      const answer = await victim.call(`rpc/${name}`, call.args(victim))
      expect(answer, name).toMatchObject(answer.status === 403 ? { body: { code: '42501' } } : call.answer)
    }
  })

  it('does not let an ended session close the account or place an order', async () => {
    await endSession()

    for (const name of ['close_account', 'place_order'])
      await victim.call(`rpc/${name}`, GUARDED[name]?.args(victim) ?? {})

    const { rows } = await shop.database.owner.query(
      `select (select count(*)::int from public.orders o where o.customer_id = u.id) as orders
       from auth.users u where u.id = $1`,
      [victim.userId],
    )
    expect(rows).toEqual([{ orders: 1 }])
  })

  it('does not let an ended session change orders, profile or cart through the tables', async () => {
    await endSession()

    const changes = [
      [`orders?id=eq.${victim.order.id}`, { status: 'cancelled' }],
      [`profiles?id=eq.${victim.userId}`, { phone: '000' }],
      [`cart_items?user_id=eq.${victim.userId}`, { quantity: 3 }],
    ] as const
    for (const [path, change] of changes) {
      expect(await victim.call(path, change, 'PATCH'), path).toMatchObject({ status: 200, body: [] })
    }
  })

  it('checks for an ended session in the policies of every table with personal rows', async () => {
    const { rows } = await shop.database.owner.query<{ table: string; is_guarded: boolean }>(
      `select tablename as table, bool_or(permissive = 'RESTRICTIVE' and cmd = 'ALL' and qual ~ 'has_aal2\\(\\)') as is_guarded
       from pg_policies where schemaname in ('public', 'storage')
       group by 1
       having bool_or(permissive = 'PERMISSIVE' and concat(qual, with_check) ~ 'auth\\.uid\\(\\)')`,
    )

    expect(rows.length).toBeGreaterThan(5)
    expect(rows.filter((row) => !row.is_guarded)).toEqual([])
  })
})
