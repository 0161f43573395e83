import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { browser } from '#test/browser-backend.ts'
import { loadedText } from '#test/loaded-page.tsx'
import { STICK_BAIT } from '#test/product-names.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { paidStaffOrder } from '#test/stored-orders.ts'
import StockPage from '../stock.route.tsx'
import { AdjustmentForm } from './adjustment-form.tsx'
import { useAdjustStock, type VariantStock } from './stock.ts'

vi.mock('#app/data/backend.ts', async () => (await import('#test/browser-backend.ts')).browserBackend)

let shop: TestShop<SupabaseClient>
let admin: Person<SupabaseClient>
beforeAll(async () => {
  shop = await openShop()
  admin = await shop.admin()
  browser.client = admin.client
})
afterAll(() => shop.close())

async function stockPageText(): Promise<string> {
  const { data } = await admin.client
    .from('products')
    .select('id')
    .eq('name', STICK_BAIT)
    .single()
    .throwOnError()
  return loadedText(<StockPage />, {
    path: '/admin/products/:productId/stock',
    address: `/admin/products/${data.id}/stock`,
  })
}

it('shows beside the stock of a colour how many lures of paid orders are still on the shelf', async () => {
  expect(await stockPageText()).not.toContain('for paid orders that have not left')
  const orders = [await paidStaffOrder(shop, admin.client), await paidStaffOrder(shop, admin.client)]

  const text = await stockPageText()

  const [first, second] = orders.map(({ number }) => `#${number}`)
  expect(text.replaceAll('\n', ' ')).toContain(
    `in stock and 2 for paid orders that have not left: ${first} , ${second}`,
  )
  expect(text.match(/for paid orders/g), 'only the colour that was bought').toHaveLength(1)
})

const VARIANT: VariantStock = { id: crypto.randomUUID(), name: 'Amber', image_url: null, stock_quantity: 3 }

function AdjustmentOf({ change, unshipped }: { change: number | null; unshipped: number }) {
  const adjust = useAdjustStock(VARIANT)
  return <AdjustmentForm {...{ change, unshipped, adjust }} variant={VARIANT} onEnd={() => undefined} />
}

const form = (change: number | null, unshipped: number) =>
  loadedText(<AdjustmentOf change={change} unshipped={unshipped} />)

it('tells an admin who counts to leave the lures of paid orders out', async () => {
  expect(await form(null, 2)).toContain('Counted quantity\nLeave these 2 out.')
  expect(await form(null, 1)).toContain('Leave this one out.')
  expect(await form(null, 0)).not.toContain('Leave')
  expect(await form(1, 2)).not.toContain('Leave')
})
