import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Delivery, StaffOrder } from '#domain/order.ts'
import { browser } from '#test/browser-backend.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { overwriteOrder, paidStaffOrder, readStaffOrder } from '#test/stored-orders.ts'
import { setOrderStatuses } from './bulk-orders.ts'
import { saveDelivery } from './delivery.ts'
import { changeOrder } from './order-changes.ts'

vi.mock('#app/data/backend.ts', async () => (await import('#test/browser-backend.ts')).browserBackend)

let shop: TestShop<SupabaseClient>
let admin: Person<SupabaseClient>
let brother: Person<SupabaseClient>
beforeAll(async () => {
  shop = await openShop()
  admin = await shop.admin()
  brother = await shop.admin()
  // Enough for an order of each test.
  await shop.database.owner.query(
    `update public.product_variants set stock_quantity = 100 where name = 'Blue Reaper'`,
  )
  browser.client = admin.client
})
afterAll(() => shop.close())

const CONFLICT = 'Someone has changed this order in the meantime. Open it again to see the change.'

const problemOf = async (order: StaffOrder) =>
  changeOrder(order, { status: 'processing' }).then(
    () => null,
    (error: Error) => error.message,
  )

it('changes no order whose status a colleague has changed or that a colleague has deleted since the page loaded it', async () => {
  const [seen, deleted] = [await paidStaffOrder(shop, admin.client), await paidStaffOrder(shop, admin.client)]
  await brother.client.from('orders').update({ status: 'cancelled' }).eq('id', seen.id).throwOnError()
  await shop.database.owner.query('delete from public.orders where id = $1', [deleted.id])

  expect(await problemOf(seen)).toBe(CONFLICT)
  expect(await problemOf(deleted)).toBe(CONFLICT)
  expect(await readStaffOrder(admin.client, seen.id)).toMatchObject({ status: 'cancelled' })
})

it('changes an order once when its dialog is confirmed again because the response was lost', async () => {
  const seen = await paidStaffOrder(shop, admin.client)
  await changeOrder(seen, { status: 'processing' })

  await changeOrder(seen, { status: 'processing' })

  const { data } = await admin.client
    .from('order_events')
    .select('id')
    .eq('order_id', seen.id)
    .eq('kind', 'status_changed')
  expect(data).toHaveLength(1)
})

it('ships an order that a colleague started to make while its shipping dialog was open', async () => {
  const seen = await paidStaffOrder(shop, admin.client)
  await brother.client.from('orders').update({ status: 'processing' }).eq('id', seen.id).throwOnError()

  await changeOrder(seen, { status: 'shipped', tracking_number: 'TCG111' })

  const shipped = { status: 'shipped', trackingNumber: 'TCG111' }
  expect(await readStaffOrder(admin.client, seen.id)).toMatchObject(shipped)
})

it('ships no order that a colleague has cancelled while its shipping dialog was open', async () => {
  const seen = await paidStaffOrder(shop, admin.client)
  await brother.client.from('orders').update({ status: 'cancelled' }).eq('id', seen.id).throwOnError()

  const shipping = changeOrder(seen, { status: 'shipped', tracking_number: 'TCG111' })

  await expect(shipping).rejects.toThrow(CONFLICT)
})

it('overwrites no tracking number that a colleague has entered since the dialog was opened', async () => {
  const seen = await paidStaffOrder(shop, admin.client)
  await brother.client
    .from('orders')
    .update({ status: 'shipped', tracking_number: 'TCG222' })
    .eq('id', seen.id)
    .throwOnError()

  const shipping = changeOrder(seen, { status: 'shipped', tracking_number: 'TCG111' })

  await expect(shipping).rejects.toThrow(CONFLICT)
})

it('overwrites no courier that a colleague has corrected since the dialog was opened', async () => {
  const paid = await paidStaffOrder(shop, admin.client)
  const [first, second] = await courierIds()
  const parcel = { tracking_number: 'TCG111', courier_company_id: first }
  await changeOrder(paid, { ...parcel, status: 'shipped' })
  const seen = await readStaffOrder(admin.client, paid.id)
  await changeOrder(seen, { ...parcel, courier_company_id: second })

  const correction = changeOrder(seen, { ...parcel, tracking_number: 'TCG112' })

  await expect(correction).rejects.toThrow(CONFLICT)
  expect(await readStaffOrder(admin.client, paid.id)).toMatchObject({ courierId: second })
})

async function courierIds(): Promise<string[]> {
  const { data } = await admin.client.from('courier_companies').select('id').throwOnError()
  return (data ?? []).map(({ id }) => String(id))
}

it.each(['shipped', 'delivered'] as const)(
  'overwrites no tracking number of a second parcel that a colleague has entered for a %s order',
  async (status) => {
    const paid = await paidStaffOrder(shop, admin.client)
    await changeOrder(paid, { status: 'shipped', tracking_number: 'TCG111' })
    await overwriteOrder(shop, paid.id, `status = '${status}'`)
    const seen = await readStaffOrder(admin.client, paid.id)
    await changeOrder(seen, { tracking_number: 'TCG222' })

    await expect(changeOrder(seen, { tracking_number: 'TCG333' })).rejects.toThrow(CONFLICT)
    expect(await readStaffOrder(admin.client, paid.id)).toMatchObject({ trackingNumber: 'TCG222' })
    await changeOrder(seen, { tracking_number: 'TCG222' })
  },
)

it('offers to undo only the change of an address that was just saved', async () => {
  const order = await paidStaffOrder(shop, admin.client)
  const moved = { ...order.delivery, shipping_city: 'Umhlanga' }
  const save = (was: Delivery, delivery: Delivery) => saveDelivery(order.id, { was, delivery })

  expect(await save(order.delivery, moved)).toEqual({ was: moved, delivery: order.delivery })
  expect(await save(moved, { ...moved, shipping_city: ' Umhlanga ' })).toBeNull()
})

it('saves an address also when the change that would undo it does not load', async () => {
  const { id, delivery: was } = await paidStaffOrder(shop, admin.client)
  vi.spyOn(console, 'error').mockReturnValueOnce()
  const { client } = brother
  browser.client = Object.assign(Object.create(client), {
    from: () => {
      throw new TypeError('Failed to fetch')
    },
  })

  const saved = await saveDelivery(id, { was, delivery: { ...was, shipping_city: 'Umhlanga' } })

  browser.client = admin.client
  expect(saved).toBeNull()
  expect(await readStaffOrder(admin.client, id)).toMatchObject({ city: 'Umhlanga' })
})

it('changes in bulk no order whose status a colleague has changed since the page loaded it', async () => {
  const [seen, same] = [await paidStaffOrder(shop, admin.client), await paidStaffOrder(shop, admin.client)]
  await brother.client.from('orders').update({ status: 'delivered' }).eq('id', seen.id).throwOnError()

  expect(await setOrderStatuses([seen, same], 'processing')).toEqual({
    done: [same.id],
    skipped: [{ order_number: Number(seen.number), reason: 'Someone has changed it in the meantime.' }],
  })
})
