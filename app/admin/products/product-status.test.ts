import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { browser } from '#test/browser-backend.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import type { ProductStatus } from './fields.ts'
import { setProductStatus } from './product.ts'

vi.mock('#app/data/backend.ts', async () => (await import('#test/browser-backend.ts')).browserBackend)

const LAUNCH = '2099-11-24T17:00:00+00:00'

let shop: TestShop<SupabaseClient>
let admin: Person<SupabaseClient>
beforeAll(async () => {
  shop = await openShop()
  admin = await shop.admin()
  browser.client = admin.client
})
afterAll(() => shop.close())

interface Listed {
  id: string
  name: string
  status: ProductStatus
  publish_at: string | null
}

async function addLure(name: string, publish_at: string | null = null): Promise<Listed> {
  const { data } = await admin.client
    .from('products')
    .insert({ name, price: 90, status: 'draft', publish_at })
    .select('id, name, status, publish_at')
    .single<Listed>()
    .throwOnError()
  return data
}

const change = (lure: Listed, values: object) =>
  admin.client.from('products').update(values).eq('id', lure.id).throwOnError()

async function stateOf(lure: Listed) {
  const { data } = await admin.client
    .from('products')
    .select('status, publish_at')
    .eq('id', lure.id)
    .single()
    .throwOnError()
  return data
}

it('puts no lure on sale that a colleague has announced or scheduled since the list loaded it', async () => {
  const [same, announced, scheduled] = [
    await addLure('Kite'),
    await addLure('Swift'),
    await addLure('Heron', '2099-11-20T17:00:00+00:00'),
  ]
  await change(announced, { status: 'announced', publish_at: LAUNCH })
  await change(scheduled, { publish_at: LAUNCH })

  const skipped = await setProductStatus([same, announced, scheduled], 'live')

  expect(skipped.map(({ name }) => name)).toEqual(['Swift', 'Heron'])
  expect(await stateOf(same)).toEqual({ status: 'live', publish_at: null })
  expect(await stateOf(announced)).toEqual({ status: 'announced', publish_at: LAUNCH })
  expect(await stateOf(scheduled)).toEqual({ status: 'draft', publish_at: LAUNCH })
})

it('hides no lure that a colleague has put on sale since the list loaded it', async () => {
  const lure = await addLure('Petrel')
  await change(lure, { status: 'live' })

  expect(await setProductStatus([lure], 'hidden')).toEqual([lure])
  expect(await stateOf(lure)).toEqual({ status: 'live', publish_at: null })
})

it('puts hundreds of selected lures on sale, also those whose launch the list showed', async () => {
  const { rows } = await shop.database.owner.query<Listed>(
    `insert into public.products (name, price, status, publish_at)
     select 'Shoal ' || n, 90, 'draft', $1 from generate_series(1, 250) as n returning id, name, status, $1::text as publish_at`,
    [LAUNCH],
  )

  expect(await setProductStatus(rows, 'live')).toEqual([])

  const { count } = await admin.client
    .from('products')
    .select('id', { count: 'exact', head: true })
    .like('name', 'Shoal%')
    .eq('status', 'live')
  expect(count).toBe(250)
})

it('changes hundreds of products by URLs that every proxy accepts', async () => {
  const lengths: number[] = []
  browser.client = createClient('http://shop.example', 'key', {
    global: {
      fetch: async (input) => {
        lengths.push(new Request(input).url.length)
        return Response.json([])
      },
    },
  })
  onTestFinished(() => void (browser.client = admin.client))
  const products = Array.from({ length: 250 }, (_, at) => ({
    id: crypto.randomUUID(),
    name: `Shoal ${at}`,
    status: 'draft' as const,
    publish_at: LAUNCH,
  }))

  expect(await setProductStatus(products, 'live')).toEqual(products)
  expect(lengths).toHaveLength(3)
  expect(Math.max(...lengths), 'nginx refuses a request line of 8 kB').toBeLessThan(8_000)
})
