import { unwrap, mapInOrder, nth, rpc } from './calls.ts'
import { product } from './goods.ts'
import type { LivedInShop } from './shop.ts'
import type { People, NamedPerson } from './people.ts'
import { deliveryFor, type PurchasedOrder, paidOrder, pay, placeOrder } from './purchases.ts'
import { EMAIL_BUYERS, EXPIRE_ORDERS, PLACE_STAFF_ORDER } from './renamed.ts'

/** The steps of staff for a paid order, in this order. */
const FATES = [['new'], ['processing'], ['shipped'], ['shipped', 'delivered'], ['shipped', 'delivered']]
const PAID_ORDERS = 30
const CODES = [null, 'SPRING', null, 'FREEPOST', null]

/** Creates orders in every state. */
export async function createOrders(shop: LivedInShop, people: People): Promise<void> {
  await mapInOrder(Array.from({ length: PAID_ORDERS }), async (_, index) => {
    const buyer = nth(people.customers, index + 10)
    const promo = nth(CODES, index)
    const method = index % 4 === 0 ? 'locker' : 'door-to-door'
    const order = await paidOrder(shop, buyer, { number: index, method, ...(promo && { promo }) })
    await workOn(people, order, nth(FATES, index))
  })
  await backdateOrders(shop)
  await unpaidOrders(shop, people)
  await cancelledOrders(shop, people)
  await staffOrders(shop, people)
  await createOrderNotes(shop, people)
}

async function workOn(
  { admin, packer }: People,
  { id, order_number }: PurchasedOrder,
  fate: string[],
): Promise<void> {
  const { id: courier } = await unwrap<{ id: string }>(
    'courier',
    admin.client.from('courier_companies').select('id').eq('name', 'Kite Couriers').single(),
  )
  await mapInOrder(fate, async (status) => {
    const tracking = { tracking_number: `KC-${order_number}`, courier_company_id: courier }
    const change = status === 'shipped' ? { status, ...tracking } : { status }
    const { client } = order_number % 2 ? packer : admin
    if (status !== 'new') await unwrap(status, client.from('orders').update(change).eq('id', id))
  })
}

/** Moves delivered orders weeks back, so that sales figures cover more than a day. */
async function backdateOrders({ sql }: LivedInShop): Promise<void> {
  await sql(
    `update public.orders set placed_at = placed_at - past, paid_at = paid_at - past
     from (select id as past_id, order_number * interval '6 days' as past from public.orders where status = 'delivered') d
     where id = past_id`,
  )
}

async function unpaidOrders(shop: LivedInShop, { customers }: People): Promise<void> {
  const [draft, expired, dropped, declined, waiting, paying] = customers
  if (!draft || !expired || !dropped || !declined || !waiting || !paying) throw new Error('too few customers')
  await unwrap('draft', draft.client.from('orders').insert(specifiedOrder(draft)))
  const { id } = await placeOrder(shop, expired, { number: 1 })
  await shop.sql(`update public.orders set expires_at = now() - interval '1 minute' where id = $1`, [id])
  await shop.sql(EXPIRE_ORDERS)
  await rpc(dropped.client, 'cancel_own_order', {
    order_id: (await placeOrder(shop, dropped, { number: 2, promo: 'SPRING' })).id,
  })
  await pay(shop, declined, { ...(await placeOrder(shop, declined, { number: 2 })), choice: 'fail' })
  await pay(shop, waiting, { ...(await placeOrder(shop, waiting, { number: 1 })), choice: 'cancel' })
}

/** The row that the specified checkout inserts before its lines. */
function specifiedOrder({ userId }: NamedPerson) {
  return {
    customer_id: userId,
    total_amount: 600,
    shipping_cost: 100,
    discount_amount: 0,
    shipping_method: 'door-to-door',
    status: 'pending_payment',
    shipping_address: '14 Beach Road',
    shipping_city: 'Durban',
    shipping_state: 'KwaZulu-Natal',
    shipping_zip: '4001',
  }
}

async function cancelledOrders(shop: LivedInShop, { admin, customers }: People): Promise<void> {
  const orders = await mapInOrder([20, 21, 22, 23], (index) =>
    paidOrder(shop, nth(customers, index), { number: index }),
  )
  await mapInOrder(orders, ({ id }) =>
    unwrap('cancel', admin.client.from('orders').update({ status: 'cancelled' }).eq('id', id)),
  )
  const [, dismissed, settled, reinstated] = orders
  const tasks = await unwrap<{ id: string }[]>(
    'task',
    admin.client.from('refund_tasks').select('id').eq('order_id', dismissed?.id),
  )
  await rpc(admin.client, 'dismiss_refund_task', { task_id: tasks[0]?.id, reason: 'Sent a new one instead' })
  const [payment] = await shop.sql<{ id: string; amount_gross: string }>(
    'select id, amount_gross from public.payments where order_id = $1',
    [settled?.id],
  )
  const whole = { payment_id: payment?.id, amount: payment?.amount_gross, reason: 'Changed their mind' }
  await rpc(admin.client, 'record_refund', whole)
  await unwrap('reinstate', admin.client.from('orders').update({ status: 'new' }).eq('id', reinstated?.id))
}

async function staffOrders(shop: LivedInShop, { admin, customers }: People): Promise<void> {
  const popper = await product(shop, 'Chisel Nose Popper 150mm/30G')
  const lines = [{ variant_id: popper.product_variants[0]?.id, with_hooks: false, quantity: 1 }]
  const enter = (wanted: object) =>
    rpc<PurchasedOrder>(admin.client, PLACE_STAFF_ORDER, {
      idempotency_key: crypto.randomUUID(),
      wanted: { lines, ...wanted },
    })
  const friend = { name: 'Gideon Nel', email: 'gideon@example.com' }
  const inPerson = {
    full_name: 'Mandla Zulu',
    email: 'mandla@example.com',
    phone: '082 123 4567',
    shipping_method: 'hand-over',
  }
  await enter({ delivery: deliveryFor(friend), expected_total: 210, paid_by: 'eft', reference: 'FNB 4711' })
  await enter({ delivery: inPerson, expected_total: 110, paid_by: 'cash', handed_over: true })
  await enter({
    delivery: deliveryFor({ name: 'Elna Fourie', email: 'elna@example.com' }),
    expected_total: 210,
  })
  const byTransfer = await placeOrder(shop, nth(customers, 30), { number: 2 })
  await rpc(admin.client, 'record_payment', { order_id: byTransfer.id, way: 'eft', reference: 'ABSA 815' })
}

async function createOrderNotes({ sql }: LivedInShop, { admin }: People): Promise<void> {
  const orders = await sql<{ id: string; shipping_address: string }>(
    `select id, shipping_address from public.orders where status = 'processing' order by order_number limit 2`,
  )
  const ids = orders.map(({ id }) => id)
  await unwrap('note', admin.client.from('order_notes').insert({ order_id: ids[0], body: 'Wrap it twice' }))
  await rpc(admin.client, 'change_delivery', {
    order_id: ids[0],
    was: { shipping_address: orders[0]?.shipping_address },
    delivery: { shipping_address: '41 Beach Road' },
  })
  await rpc(admin.client, EMAIL_BUYERS, {
    order_ids: ids,
    subject: 'Holidays',
    message: 'We are at the coast until Monday.',
  })
}
