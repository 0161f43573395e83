import type { ShopClient } from '#database'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { revokedAdmin } from '#test/revoked-admin.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { placeOrder } from '#test/shopping.ts'

const PUBLIC_URL = 'https://shop.example'

let shop: TestShop
let admin: Person
let courierId: string
beforeAll(async () => {
  shop = await openShop({ publicUrl: PUBLIC_URL })
  admin = await shop.admin()
  const { data } = await admin.client
    .from('courier_companies')
    .select('id')
    .eq('name', 'The Courier Guy')
    .single()
    .throwOnError()
  courierId = data.id
})
afterAll(() => shop.close())

async function aPaidOrder(): Promise<{ id: string; buyer: Person }> {
  const buyer = await shop.signUp()
  const { id } = await placeOrder(buyer)
  await shop.database.owner.query('select private.mark_order_paid($1, now())', [id])
  return { id, buyer }
}

function preview(client: ShopClient, orderId: string, trackingNumber = 'TCG-77') {
  return client.functions.invoke('preview-shipping-mail', { body: { orderId, trackingNumber, courierId } })
}

// covers A13
it('previews the shipping mail exactly as the customer receives the mail', async () => {
  const { id } = await aPaidOrder()

  const { data, error } = await preview(admin.client, id)
  await admin.client
    .from('orders')
    .update({ status: 'shipped', tracking_number: 'TCG-77', courier_company_id: courierId })
    .eq('id', id)
  await shop.runJobs()

  expect(error).toBeNull()
  const { data: mail } = await admin.client
    .from('mails')
    .select('to:sent_to, subject, html, text')
    .eq('props->>orderId', id)
    .eq('template', 'order-status-update')
    .single()
  expect(data).toEqual(mail)
  expect(data.text).toContain('https://portal.thecourierguy.co.za/track?ref=TCG-77')
})

it('previews the shipping mail without sending the mail or changing the order', async () => {
  const { id } = await aPaidOrder()

  await preview(admin.client, id)
  await shop.runJobs()

  const { data: order } = await admin.client
    .from('orders')
    .select('status, tracking_number')
    .eq('id', id)
    .single()
  const { data: mails } = await admin.client
    .from('mails')
    .select('template')
    .eq('props->>orderId', id)
    .eq('template', 'order-status-update')
  expect(order).toEqual({ status: 'new', tracking_number: null })
  expect(mails).toEqual([])
})

it('rejects shipping mail previews for unpaid and missing orders', async () => {
  const buyer = await shop.signUp()
  const { id } = await placeOrder(buyer)

  expect((await preview(admin.client, id)).error?.context.status).toBe(409)
  expect((await preview(admin.client, crypto.randomUUID())).error?.context.status).toBe(404)
})

it('rejects shipping mail previews by customers, visitors and revoked admins', async () => {
  const { id, buyer } = await aPaidOrder()

  for (const client of [buyer.client, shop.client(), await revokedAdmin(shop)]) {
    expect((await preview(client, id)).error?.context.status).toBe(403)
  }
})
