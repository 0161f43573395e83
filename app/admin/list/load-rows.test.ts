import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { StaffOrder } from '#domain/order.ts'
import { browser } from '#test/browser-backend.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { placeOrder } from '#test/shopping.ts'
import { copyOrder, overwriteOrder, paidStaffOrder } from '#test/stored-orders.ts'
import { CLIENTS } from '../clients/client-list.ts'
import { ORDERS } from '../orders/order-list.ts'
import { readView, type List, type ListView } from './list.ts'
import { loadAllRows, loadPage, loadRows } from './load-rows.ts'

vi.mock('#app/data/backend.ts', async () => (await import('#test/browser-backend.ts')).browserBackend)

let shop: TestShop<SupabaseClient>
let admin: Person<SupabaseClient>
let first: StaffOrder
let second: StaffOrder
beforeAll(async () => {
  shop = await openShop()
  admin = await shop.admin()
  browser.client = admin.client
  first = await paidStaffOrder(shop, admin.client)
  second = await paidStaffOrder(shop, admin.client)
})
afterAll(() => shop.close())

const viewOf = (address: string) => readView(ORDERS, new URLSearchParams(address))

it('loads the second page of a list, and counts a list beyond its last page', async () => {
  const all = await loadPage(ORDERS, viewOf(''), 100)
  const [pageTwo, beyond] = [
    await loadPage(ORDERS, viewOf('?page=2'), 1),
    await loadPage(ORDERS, viewOf('?page=9')),
  ]

  expect(pageTwo.rows.map(({ id }) => id)).toEqual([all.rows[1]?.id])
  expect(beyond).toEqual({ rows: [], count: all.rows.length })
})

it.each([
  ['orders', '150', (view: ListView) => loadsOf(ORDERS, view)],
  ['clients', '1000', (view: ListView) => loadsOf(CLIENTS, view)],
] as const)(
  'shows the newest %s that a search finds, but loads all of them for another sort, a bulk action or a file',
  async (_name, limit, load) => {
    const limits: (string | null)[] = []
    browser.client = createClient('http://shop.example', 'key', {
      global: {
        async fetch(address) {
          limits.push(new URL(address instanceof Request ? address.url : address).searchParams.get('at_most'))
          return Response.json([])
        },
      },
    })

    await load(viewOf('?search=popper'))
    await load(viewOf('?search=popper&sort=created_at'))

    browser.client = admin.client
    expect(limits).toEqual([limit, ...Array.from({ length: 5 }, () => '1000000')])
  },
)

it('sorts all orders that a search finds by amount, not only the newest 150', async () => {
  const largest = await placeOrder(await shop.signUp())
  await copyOrder(shop, largest.id, { count: 150, columns: { customer_name: 'Zodwa Khuzwayo' } })
  await overwriteOrder(
    shop,
    largest.id,
    `customer_name = 'Zodwa Khuzwayo', created_at = created_at - interval '1 day',
     subtotal_amount = subtotal_amount + 1000, total_amount = total_amount + 1000`,
  )

  const { rows, count } = await loadPage(ORDERS, viewOf('?search=khuzwayo&sort=-total_amount'))

  expect(rows[0]?.id).toBe(largest.id)
  expect(count).toBe(151)
})

async function loadsOf<Row>(list: List<Row>, view: ListView): Promise<void> {
  await loadPage(list, view)
  await loadAllRows(list, view)
  await loadRows(list, view, [first.id])
}

it('loads each selected order of a long selection, and no other', async () => {
  const ids = [first.id, ...Array.from({ length: 120 }, () => crypto.randomUUID()), second.id]

  const rows = await loadRows(ORDERS, viewOf(''), ids)

  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set([first.id, second.id]))
})
