import { afterAll, beforeAll, expect, it } from 'vitest'

import { aPhoto } from '#test/gallery-photo.ts'
import { openShop, type TestShop } from '#test/shop.ts'
import { callsFrom, countStatuses } from './from-address.ts'

/** The attack: use the file service, which has the same connections, because calls of the data service are limited. */
let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ trustProxy: 1 })
  const site = shop.serviceClient().storage.from('site')
  const { error } = await site.upload('slow.jpg', await aPhoto(), { contentType: 'image/jpeg' })
  if (error) throw error
})
afterAll(() => shop.close())

it('counts slow calls of the file service of one address together with its other calls', async () => {
  const { owner } = shop.database
  await owner.query(`
    create function public.wait_for_test() returns boolean language sql volatile as $$
      select pg_advisory_xact_lock_shared(22) is not null $$;
    grant execute on function public.wait_for_test() to anon;
    create policy select_slowly on storage.objects for select to anon using (name = 'slow.jpg' and public.wait_for_test());
    notify pgrst, 'reload schema'`)
  const countWaiting = async () => {
    const { rows } = await owner.query(
      `select count(*)::int as calls from pg_locks where locktype = 'advisory' and objid = 22 and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    )
    return rows[0].calls
  }
  const holder = await owner.connect()
  await holder.query('select pg_advisory_lock(22)')
  const call = callsFrom(shop, '192.0.2.1')
  const slow = [
    ...Array.from({ length: 80 }, () => call('/storage/v1/object/list/site', { body: {} })),
    ...Array.from({ length: 5 }, () => call('/rest/v1/rpc/wait_for_test', { body: {} })),
  ]
  try {
    // The share of visitors of the ten connections that a test has.
    await expect.poll(countWaiting, { timeout: 20_000 }).toBe(2)

    const picture = await call('/storage/v1/object/public/site/slow.jpg')
    const other = await callsFrom(shop, '192.0.2.2')('/rest/v1/products?select=name')

    expect([picture.status, other.status]).toEqual([200, 200])
    expect(await countWaiting()).toBe(2)
  } finally {
    await holder.query('select pg_advisory_unlock_all()')
    holder.release()
  }
  // Seventy wait behind two.
  expect(countStatuses(await Promise.all(slow))).toMatchObject({ 200: 72 })
})
