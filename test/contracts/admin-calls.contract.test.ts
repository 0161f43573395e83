import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { uploadPhoto } from '#test/gallery-photo.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { placeOrder, type Placed } from '#test/shopping.ts'

let shop: TestShop<SupabaseClient>
let admin: Person<SupabaseClient>
beforeAll(async () => {
  shop = await openShop()
  admin = await shop.admin()
})
afterAll(() => shop.close())

const table = (name: string) => admin.client.from(name)

const mailTo = (to: string) =>
  admin.client.functions.invoke('send-admin-email', {
    body: { to, subject: 'Your lure', message: 'It is drying.', customerName: 'Zanele' },
  })

async function paidOrder(): Promise<{ buyer: Person<SupabaseClient>; order: Placed }> {
  const buyer = await shop.signUp()
  const order = await placeOrder(buyer)
  await shop.database.owner.query('select private.mark_order_paid($1, now())', [order.id])
  return { buyer, order }
}

// covers A3.1 A7.1
it('lists and counts all orders with the customers, newest first', async () => {
  const { buyer, order } = await paidOrder()

  const { data, count } = await admin.client
    .from('orders')
    .select('*, profiles(full_name, email, phone)', { count: 'exact' })
    .order('created_at', { ascending: false })

  expect(count).toBe(data?.length)
  expect(data?.[0]).toMatchObject({ id: order.id, status: 'new', profiles: { email: buyer.email } })
})

// covers A7.2 A7.7
it('ships a paid order with tracking number and courier, and sets any status afterwards', async () => {
  const { order } = await paidOrder()
  const { data: courier } = await admin.client
    .from('courier_companies')
    .insert({ name: 'Kite Couriers', contact_person: 'Anele', contact_phone: '021 555 0101' })
    .select()
    .single()

  await table('orders')
    .update({ tracking_number: 'KC-1', courier_company_id: courier.id, status: 'shipped' })
    .eq('id', order.id)
  const shipped = await table('orders').select('status, tracking_number').eq('id', order.id).single()
  expect(shipped.data).toEqual({ status: 'shipped', tracking_number: 'KC-1' })

  for (const status of ['delivered', 'processing', 'cancelled', 'new']) {
    const { data } = await table('orders').update({ status }).eq('id', order.id).select('status')
    expect(data).toEqual([{ status }])
  }
})

// covers A7.3
it('lets an admin set an unpaid order only to cancelled', async () => {
  const order = await placeOrder(await shop.signUp())
  const setStatus = (status: string) =>
    admin.client.from('orders').update({ status }).eq('id', order.id).select('status')

  expect((await setStatus('shipped')).error).toMatchObject({ code: 'PT409', details: 'not_paid' })
  expect((await setStatus('cancelled')).data).toEqual([{ status: 'cancelled' }])
})

// covers A3.2 A4.9 A7.4 A9.7
it('deletes an order with all items and returns the lures to stock', async () => {
  const { order } = await paidOrder()
  const stock = async () => {
    const { data } = await admin.client
      .from('product_variants')
      .select('stock_quantity')
      .eq('name', 'Blue Reaper')
    const quantity: number = data?.[0]?.stock_quantity
    return quantity
  }
  const before = await stock()

  const items = await admin.client.from('order_items').delete().eq('order_id', order.id)
  const deleted = await admin.client.from('orders').delete().eq('id', order.id).select()

  expect(items.error).toBeNull()
  expect(deleted.data).toHaveLength(1)
  expect(await stock()).toBe(before + 1)
})

// covers A3.4 A7.6
it('creates, changes and deletes a product as an admin', async () => {
  const spoon = {
    name: 'Copper Spoon',
    description: 'Hammered by hand',
    price: 85.5,
    image_url: null,
    category: 'Spoons',
    stock_quantity: 4,
  }

  const created = await table('products').insert(spoon).select().single()
  const updated = await table('products')
    .update({ ...spoon, stock_quantity: 6 })
    .eq('id', created.data.id)
    .select()
    .single()
  const deleted = await table('products').delete().eq('id', created.data.id).select()

  expect(created.data).toMatchObject(spoon)
  expect(updated.data.stock_quantity).toBe(6)
  expect(deleted.data).toHaveLength(1)
})

// covers A3.5 A7.8 A9.3
it('lets an admin create, deactivate and delete a promo code in upper case', async () => {
  const created = await table('promo_codes')
    .insert({ code: 'winter', discount_type: 'fixed', discount_value: 50, free_shipping: true })
    .select()
    .single()
  const switched = await table('promo_codes')
    .update({ is_active: false })
    .eq('id', created.data.id)
    .select()
    .single()
  const deleted = await table('promo_codes').delete().eq('id', created.data.id).select()

  expect(created.data).toMatchObject({
    code: 'WINTER',
    is_active: true,
    min_order_amount: 0,
    usage_limit: null,
  })
  expect(switched.data.is_active).toBe(false)
  expect(deleted.data).toHaveLength(1)
})

// covers A3.3 A5.5 A7.5
it('lets an admin edit a client except for the e-mail address', async () => {
  const client = await shop.signUp()

  const { data } = await table('profiles')
    .update({ full_name: 'Zanele', city: 'Durban' })
    .eq('id', client.userId)
    .select()
  const email = await table('profiles').update({ email: 'other@example.com' }).eq('id', client.userId)

  expect(data).toMatchObject([{ full_name: 'Zanele', city: 'Durban', email: client.email }])
  expect(email.error?.code).toBe('42501')
})

// covers A7.13
it('lets an admin mail a client, but rejects unknown recipients', async () => {
  const client = await shop.signUp()

  expect((await mailTo(client.email)).error).toBeNull()
  expect((await mailTo('stranger@example.com')).error).not.toBeNull()
})

// covers A3.7 A4.12 A7.9
it('shows admins the sender of a gallery photo and lets admins review and edit the photo', async () => {
  const visitor = shop.client()
  const photo = await uploadPhoto(visitor)
  const { data: sent } = await visitor
    .from('gallery_submissions')
    .insert({
      customer_name: 'Lerato',
      email: 'lerato@example.com',
      description: 'A kingfish',
      image_url: photo,
      image_urls: [photo],
      status: 'pending',
    })
    .select()
    .single()

  await table('gallery_submissions').update({ status: 'approved' }).eq('id', sent.id)
  await table('gallery_submissions')
    .update({ customer_name: 'Lerato N', email: 'l@example.com', description: 'A kingfish, Mbotyi' })
    .eq('id', sent.id)

  const { data } = await table('gallery_submissions')
    .select('*, gallery_contacts(email)')
    .eq('id', sent.id)
    .single()
  expect(data).toMatchObject({
    status: 'approved',
    customer_name: 'Lerato N',
    gallery_contacts: { email: 'l@example.com' },
  })
})

// covers A1.1 A4.15 A6.2
it('rejects a revoked admin’s calls from the next request on', async () => {
  const { order } = await paidOrder()
  const former = await shop.admin()
  await shop.database.owner.query(`delete from public.user_roles where user_id = $1 and role = 'admin'`, [
    former.userId,
  ])

  const read = await former.client.from('orders').select().eq('id', order.id)
  const written = await former.client
    .from('orders')
    .update({ status: 'cancelled' })
    .eq('id', order.id)
    .select()
  const mailed = await former.client.functions.invoke('send-admin-email', {
    body: { to: former.email, subject: 'Hello', message: 'Still here' },
  })

  expect([read.data, written.data]).toEqual([[], []])
  expect(mailed.error).not.toBeNull()
})
