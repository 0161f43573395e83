import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { setPublishableKey } from '#app/data/backend.ts'
import { lineKey, type CartLine } from '#domain/cart.ts'
import { openShop, type TestShop } from '#test/shop.ts'
import { fetchVisitorAvailability } from './fetch-availability.ts'

let shop: TestShop

beforeAll(async () => {
  shop = await openShop()
  setPublishableKey(shop.keys.publishable)
  await shop.database.owner.query(
    `with product as (
       insert into public.products (name, price, price_with_hooks, made_to_order, status, position, publish_at) values
         ('The "Big", (heavy) \\ one', 99.5, 120, false, 'live', 50, null),
         ('Bare', 80, null, true, 'live', 51, null),
         ('Gone', 70, 90, false, 'hidden', 52, null),
         ('Soon', 70, 90, false, 'announced', 53, '2099-01-01')
       returning id, name
     )
     insert into public.product_variants (product_id, name, stock_quantity)
       select id, colour, stock from product, (values ('Red', 3), ('Blue', 5)) colours (colour, stock)`,
  )
})
afterAll(() => shop.close())

beforeEach(() => {
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => shop.fetch(path, init))
})

const line = (productName: string, more: Partial<CartLine> = {}): CartLine => ({
  id: crypto.randomUUID(),
  createdAt: '2026-11-21T08:00:00Z',
  productName,
  productVariant: 'Blue',
  withHooks: false,
  priceCents: 1,
  quantity: 1,
  imageUrl: null,
  ...more,
})

async function availabilityOf(...lines: CartLine[]) {
  const found = await fetchVisitorAvailability(lines)
  return lines.map((one) => found.get(lineKey(one)))
}

it('reads price and stock of the line’s colour and hook choice, also for names with quotes and commas', async () => {
  const name = 'The "Big", (heavy) \\ one'

  expect(
    await availabilityOf(line(name), line(name, { productVariant: 'Red', withHooks: true })),
  ).toMatchObject([
    { priceCents: 99_50, available: 5, isMadeToOrder: false, launchAt: null },
    { priceCents: 120_00, available: 3, isMadeToOrder: false, launchAt: null },
  ])
})

it('reads which lures are made to order', async () => {
  expect(await availabilityOf(line('Bare'))).toMatchObject([
    { priceCents: 80_00, available: 5, isMadeToOrder: true, launchAt: null },
  ])
})

it.each([
  ['a hook option that is not offered', line('Bare', { withHooks: true })],
  ['a colour that does not exist', line('Bare', { productVariant: 'Pink' })],
  ['a hidden product', line('Gone')],
  ['an unknown product', line('Nothing')],
])('reports that %s is not sold', async (_case, notSold) => {
  expect(await availabilityOf(notSold)).toMatchObject([
    { priceCents: null, available: 0, isMadeToOrder: false, launchAt: null },
  ])
})

it('reads when a lure of the cart that was announced again goes on sale', async () => {
  expect(await availabilityOf(line('Soon'))).toMatchObject([
    { priceCents: null, available: 0, isMadeToOrder: false, launchAt: '2099-01-01T00:00:00+00:00' },
  ])
})

interface Ids {
  productId: string
  variantId: string
}

const idsOf = async (productName: string, colour: string): Promise<Ids> => {
  const { rows } = await shop.database.owner.query<Ids>(
    `select p.id as "productId", v.id as "variantId" from public.products p
     join public.product_variants v on v.product_id = p.id where p.name = $1 and v.name = $2`,
    [productName, colour],
  )
  return rows[0]!
}

it('finds the lure of a line that was renamed since, and a line without ids by its names', async () => {
  const ids = await idsOf('Bare', 'Blue')
  const current = { ...ids, productName: 'Bare', productVariant: 'Blue' }

  expect(
    await availabilityOf(line('Its former name', { ...ids, productVariant: 'Cyan' }), line('Bare')),
  ).toMatchObject([
    { priceCents: 80_00, variant: current },
    { priceCents: 80_00, variant: current },
  ])
})

it('finds the colour that the buyer chose after two colours swapped their names', async () => {
  const ids = await idsOf('Bare', 'Blue')

  expect(await availabilityOf(line('Bare', { ...ids, productVariant: 'Red' }))).toMatchObject([
    { variant: { variantId: ids.variantId, productVariant: 'Blue' } },
  ])
})

it('finds by its names a colour that was deleted and made again, under the keys before and after', async () => {
  const gone = line('Bare', { productId: crypto.randomUUID(), variantId: crypto.randomUUID() })
  const ids = await idsOf('Bare', 'Blue')
  const found = await fetchVisitorAvailability([gone])

  expect(found.get(lineKey(gone))).toMatchObject({ priceCents: 80_00, variant: ids })
  expect(found.get(lineKey({ ...gone, ...ids }))).toEqual(found.get(lineKey(gone)))
})
