import { mapInOrder, nth, rpc } from './calls.ts'
import type { LivedInShop } from './shop.ts'
import type { People } from './people.ts'
import { openPaymentPage, type PurchasedOrder, paidOrder, pay, placeOrder } from './purchases.ts'
import { EXPIRE_ORDERS, ISSUE_ID, OPEN_ISSUES, RESOLVE_ISSUE } from './renamed.ts'

/** Creates payment issues and resolves some. */
export async function createPaymentIssues(shop: LivedInShop, people: People): Promise<void> {
  await shortPayments(shop, people)
  await doublePayments(shop, people)
  await latePayments(shop, people)
  const oddities = ['forged', 'unknown', 'foreign', 'over', 'twice', 'never', 'outage']
  await mapInOrder(oddities, async (choice, index) => {
    const buyer = nth(people.customers, 32 + index)
    return pay(shop, buyer, { ...(await placeOrder(shop, buyer, { number: 2 })), choice })
  })
}

async function shortPayments(shop: LivedInShop, { admin, customers }: People): Promise<void> {
  const short = (index: number) => {
    const buyer = nth(customers, index)
    return placeOrder(shop, buyer, { number: 1 }).then((order) =>
      pay(shop, buyer, { ...order, choice: 'short' }),
    )
  }
  const accepted = await short(40)
  await rpc(admin.client, 'accept_short_payment', { payment_id: await paymentOf(shop, accepted) })
  const toppedUp = await short(41)
  await rpc(admin.client, 'request_top_up', { payment_id: await paymentOf(shop, toppedUp) })
  await pay(shop, nth(customers, 41), { ...toppedUp, total_amount: 1 })
  await rpc(admin.client, 'request_top_up', { payment_id: await paymentOf(shop, await short(42)) })
  await short(43)
}

async function doublePayments(shop: LivedInShop, { admin, customers }: People): Promise<void> {
  const twice = (index: number) => {
    const buyer = nth(customers, index)
    return placeOrder(shop, buyer, { number: 2 }).then((order) =>
      pay(shop, buyer, { ...order, choice: 'again' }),
    )
  }
  const looked = await twice(44)
  const [issue] = await shop.sql<{ id: string }>(`select id from public.${OPEN_ISSUES} where order_id = $1`, [
    looked.id,
  ])
  await rpc(admin.client, RESOLVE_ISSUE, { [ISSUE_ID]: issue?.id, note: 'Agreed on a credit by phone' })
  await twice(45)
}

/** Payments for ended orders: one order is reinstated automatically, one after restocking, one stays open. */
async function latePayments(shop: LivedInShop, { admin, customers }: People): Promise<void> {
  const late = async (index: number, stock: number) => {
    const buyer = nth(customers, index)
    const order = await placeOrder(shop, buyer, { number: 2 })
    const press = await openPaymentPage(shop, buyer, order)
    await shop.sql(`update public.orders set expires_at = now() - interval '1 minute' where id = $1`, [
      order.id,
    ])
    await shop.sql(EXPIRE_ORDERS)
    await setStock(shop, order, stock)
    await press('pay')
    await shop.runJobs()
    return order
  }
  await late(46, 100)
  const accepted = await late(47, 0)
  await setStock(shop, accepted, 5)
  await rpc(admin.client, 'accept_late_payment', { payment_id: await paymentOf(shop, accepted) })
  await setStock(shop, await late(48, 0), 100)
}

async function setStock({ sql }: LivedInShop, order: PurchasedOrder, quantity: number): Promise<void> {
  await sql(
    `update public.product_variants set stock_quantity = $2
     where id in (select variant_id from public.order_items where order_id = $1)`,
    [order.id, quantity],
  )
}

/** Creates refunds in every state; the job of the last one is pending. */
export async function createRefunds(shop: LivedInShop, { admin, customers }: People): Promise<void> {
  const buyers = [49, 50, 51, 52, 53, 54].map((index) => nth(customers, index))
  const orders = await mapInOrder(buyers, (buyer) => paidOrder(shop, buyer, { number: 0 }))
  const [whole, part, viaPayfast, refused, lost, waiting] = await mapInOrder(orders, (order) =>
    paymentOf(shop, order),
  )
  const refund = (payment_id: string | undefined, more: object = {}) =>
    rpc<{ id: string }>(admin.client, 'record_refund', {
      payment_id,
      amount: 50,
      reason: 'One came chipped',
      ...more,
    })

  const returnable = await rpc<{ order_item_id: string }[]>(admin.client, 'returnable_items', {
    order_id: orders[0]?.id,
  })
  await refund(whole, { returned: [{ order_item_id: returnable[0]?.order_item_id, quantity: 1 }] })
  const { id } = await refund(part)
  await rpc(admin.client, 'withdraw_refund', { refund_id: id, reason: 'Recorded on the wrong order' })

  await shop.sql(`select private.set_shop_rules('{"refund_way": "payfast"}')`)
  await setRefundBalances(shop, [viaPayfast, refused, lost, waiting])
  const behaviours = [
    ['succeeds', viaPayfast],
    ['rejects', refused],
    ['connection lost', lost],
  ] as const
  await mapInOrder(behaviours, async ([behaviour, payment]) => {
    shop.payfast.api.refunds = behaviour
    await refund(payment)
    await shop.runJobs()
  })
  await refund(waiting)
}

async function setRefundBalances(
  { sql, payfast }: LivedInShop,
  payments: (string | undefined)[],
): Promise<void> {
  const rows = await sql<{ pf_payment_id: string; amount_gross: string }>(
    'select pf_payment_id, amount_gross from public.payments where id = any ($1::uuid[])',
    [payments],
  )
  for (const { pf_payment_id, amount_gross } of rows)
    payfast.api.balances.set(pf_payment_id, Number(amount_gross) * 100)
}

export async function paymentOf({ sql }: LivedInShop, { id }: Pick<PurchasedOrder, 'id'>): Promise<string> {
  const [payment] = await sql<{ id: string }>(
    'select id from public.payments where order_id = $1 order by created_at limit 1',
    [id],
  )
  if (!payment) throw new Error('the order has no payment')
  return payment.id
}
