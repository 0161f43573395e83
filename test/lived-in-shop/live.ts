import { ask } from './calls.ts'
import { keepCatalogue } from './goods.ts'
import { openHouse } from './house.ts'
import { figuresOf, type Figures } from './figures.ts'
import { giveMoneyBack, straightenPayments } from './money.ts'
import { takeOrders } from './orders.ts'
import { moveIn, type People } from './people.ts'
import { placeOrder, openPaymentPage } from './purchases.ts'
import { requireStates } from './states.ts'
import { endTheDay, receiveVisitors, sayGoodbye } from './visitors.ts'
import type { House } from './house.ts'

/** Opens a shop on an empty folder, trades until every state has a row, and closes it. Returns the figures that an upgrade must keep. */
export async function liveAShop(folder: string): Promise<Figures> {
  const house = await openHouse(folder)
  try {
    const people = await moveIn(house)
    await keepCatalogue(house, people)
    await takeOrders(house, people)
    await straightenPayments(house, people)
    await sayGoodbye(house, people)
    await receiveVisitors(house, people)
    await endTheDay(house, people)
    await giveMoneyBack(house, people)
    await leaveWork(house, people)
    await requireStates(house)
    return await figuresOf(house)
  } finally {
    await house.close()
  }
}

/** Leaves an unsent mail, an unpaid order and an unchecked notice, as if the process had stopped. */
async function leaveWork(house: House, { admin, customers }: People): Promise<void> {
  const [waiting, paying] = customers.slice(58)
  if (!waiting || !paying) throw new Error('too few customers')
  await placeOrder(house, waiting, { number: 1 })
  const orders = admin.client.from('orders')
  const [packed] = await house.sql<{ id: string }>(
    `select id from public.orders where status = 'processing' order by order_number limit 1`,
  )
  await ask('ship', orders.update({ status: 'shipped', tracking_number: 'KC-1' }).eq('id', packed?.id))
  const press = await openPaymentPage(house, paying, await placeOrder(house, paying, { number: 2 }))
  await press('pay')
}
