import { unwrap } from './calls.ts'
import { changeCatalogue } from './goods.ts'
import { openLivedInShop } from './shop.ts'
import { readFigures, type Figures } from './figures.ts'
import { createRefunds, createPaymentIssues } from './money.ts'
import { createOrders } from './orders.ts'
import { createStaffAndCustomers, type People } from './people.ts'
import { placeOrder, openPaymentPage } from './purchases.ts'
import { requireStates } from './states.ts'
import { createListSettings, createVisitorContent, endAccounts } from './visitors.ts'
import type { LivedInShop } from './shop.ts'

/** Opens a shop on an empty folder, trades until every state has a row, and closes it. Returns the figures that an upgrade must keep. */
export async function createLivedInShop(folder: string): Promise<Figures> {
  const shop = await openLivedInShop(folder)
  try {
    const people = await createStaffAndCustomers(shop)
    await changeCatalogue(shop, people)
    await createOrders(shop, people)
    await createPaymentIssues(shop, people)
    await endAccounts(shop, people)
    await createVisitorContent(shop, people)
    await createListSettings(shop, people)
    await createRefunds(shop, people)
    await leavePendingWork(shop, people)
    await requireStates(shop)
    return await readFigures(shop)
  } finally {
    await shop.close()
  }
}

/** Leaves an unsent mail, an unpaid order and an unchecked notice, as if the process had stopped. */
async function leavePendingWork(shop: LivedInShop, { admin, customers }: People): Promise<void> {
  const [waiting, paying] = customers.slice(58)
  if (!waiting || !paying) throw new Error('too few customers')
  await placeOrder(shop, waiting, { number: 1 })
  const orders = admin.client.from('orders')
  const [packed] = await shop.sql<{ id: string }>(
    `select id from public.orders where status = 'processing' order by order_number limit 1`,
  )
  await unwrap('ship', orders.update({ status: 'shipped', tracking_number: 'KC-1' }).eq('id', packed?.id))
  const press = await openPaymentPage(shop, paying, await placeOrder(shop, paying, { number: 2 }))
  await press('pay')
}
