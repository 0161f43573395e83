import { expect, test } from '@playwright/test'
import { Client } from 'pg'
import { findRunningPostgres, postgresUrl } from '@saltfreak/backend/testing'
import { type RunningShop, startShop } from '#test/running-shop.ts'
import { answered, fillShelves, signUp, staffOf } from './checkout.ts'
import { delivery, popper } from '#test/shopping.ts'

let shop: RunningShop
test.afterEach(() => shop.stop())

test('an overdue order expires within 90 seconds after the clock was forty days ahead @long', async () => {
  test.setTimeout(180_000)
  shop = await startShop()
  await fillShelves(shop)
  const { client, userId } = await signUp(shop)
  await answered(
    client
      .from('cart_items')
      .insert({ user_id: userId, ...popper })
      .select(),
  )
  const expected = popper.price * popper.quantity
  const order: { id: string } = await answered(
    client
      .rpc('place_order', {
        idempotency_key: crypto.randomUUID(),
        delivery,
        expected_total: expected >= 1500 ? expected : expected + 100,
      })
      .single(),
  )

  await inDatabase(
    `update graphile_worker._private_known_crontabs set last_execution = now() + interval '40 days'`,
    `update public.orders set created_at = now() - interval '30 days', expires_at = now() - interval '1 hour'`,
  )

  const statusOf = async () =>
    (await answered((await staffOf(shop)).from('orders').select('status').eq('id', order.id).single())).status
  await expect.poll(statusOf, { timeout: 90_000, intervals: [1000] }).toBe('cancelled')
})

async function inDatabase(...statements: string[]): Promise<void> {
  const postgres = await findRunningPostgres(shop.dataDir)
  if (!postgres) throw new Error('the database is not running')
  const client = new Client({ connectionString: postgresUrl(postgres, 'supabase_admin') })
  await client.connect()
  for (const statement of statements) {
    // oxlint-disable-next-line no-await-in-loop -- one connection
    await client.query(statement)
  }
  await client.end()
}
