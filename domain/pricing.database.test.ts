import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTransaction } from '@saltfreak/backend'
import { aBuyer, type Buyer } from '#test/buyer.ts'
import { as, shopDatabase, type TestDatabase } from '#test/database.ts'
import { centsFromRand, randText } from './money.ts'
import { priceCart, subtotalOf, type Promo } from './pricing.ts'

/** The pricing rules exist twice: in TypeScript for the pages and in SQL for orders. This property test compares them. */

let shop: TestDatabase
let buyer: Buyer

beforeAll(async () => {
  shop = await shopDatabase()
  buyer = await aBuyer(shop.database)
  await shop.database.owner.query('update public.product_variants set stock_quantity = 5000')
})
afterAll(() => shop.close())

interface Lure {
  product: string
  variant: string
  withHooks: boolean
  quantity: number
  priceCents: number
}

const promos = fc.option(
  fc.record({
    discount: fc.oneof(
      fc.record({
        type: fc.constant('percentage' as const),
        percent: fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100),
      }),
      fc.record({ type: fc.constant('fixed' as const), cents: fc.integer({ min: 0, max: 3000_00 }) }),
    ),
    minOrderCents: fc.integer({ min: 0, max: 2500_00 }),
    grantsFreeShipping: fc.boolean(),
  }),
)

/** Random quantities and prices in cents, including unrealistic prices. */
const carts = fc.array(
  fc.record({
    quantity: fc.integer({ min: 1, max: 40 }),
    priceCents: fc.integer({ min: 0, max: 600_00 }),
    withHooks: fc.boolean(),
  }),
  { minLength: 1, maxLength: 3 },
)

it('calculates the same prices as the database for random carts and codes', async () => {
  const { rows: offers } = await shop.database.owner.query<{ product: string; variant: string }>(
    `select p.name as product, min(v.name) as variant from public.products p
     join public.product_variants v on v.product_id = p.id group by p.name order by p.name`,
  )

  await fc.assert(
    fc.asyncProperty(carts, promos, async (wishes, randomPromo) => {
      const lures = wishes.map((wish, index): Lure => ({ ...offers[index]!, ...wish }))
      const promo: Promo | null = randomPromo && { ...randomPromo, code: 'RANDOM' }
      const here = priceCart(subtotalOf(lures), { promo })

      const { quoted, placed } = await priceInDatabase(lures, { promo, totalCents: here.totalCents })

      expect(quoted).toEqual(here)
      expect(placed).toBe(here.totalCents)
    }),
    { numRuns: 60 },
  )
}, 120_000)

/** Prices the same cart in the database, in a transaction that is rolled back. */
async function priceInDatabase(
  lures: Lure[],
  { promo, totalCents }: { promo: Promo | null; totalCents: number },
) {
  const outcome = { quoted: {}, placed: -1 }
  const undone = new Error('undone')
  await inTransaction(shop.database.owner, async (client) => {
    for (const lure of lures) {
      await client.query('update public.products set price = $2, price_with_hooks = $2 where name = $1', [
        lure.product,
        randText(lure.priceCents),
      ])
    }
    if (promo) {
      await client.query(
        `insert into public.promo_codes (code, discount_type, discount_value, min_order_amount, free_shipping)
         values ($1, $2, $3, $4, $5)`,
        [
          promo.code,
          promo.discount.type,
          promo.discount.type === 'fixed' ? randText(promo.discount.cents) : promo.discount.percent,
          randText(promo.minOrderCents),
          promo.grantsFreeShipping,
        ],
      )
    }
    await as(client, { sub: buyer.userId })
    for (const { product, variant, withHooks, quantity, priceCents } of lures) {
      await client.query(
        `insert into public.cart_items (product_name, product_variant, price, quantity, with_hooks) values ($1, $2, $3, $4, $5)`,
        [product, variant, randText(priceCents), quantity, withHooks],
      )
    }
    const quote = await client.query<{
      quote: Record<'subtotal' | 'shipping' | 'discount' | 'total', number>
    }>('select public.quote_cart($1) as quote', [promo?.code ?? null])
    const { subtotal, shipping, discount, total } = quote.rows[0]!.quote
    outcome.quoted = {
      subtotalCents: centsFromRand(subtotal),
      shippingCents: centsFromRand(shipping),
      discountCents: centsFromRand(discount),
      totalCents: centsFromRand(total),
    }
    const holds = promo && subtotalOf(lures) >= promo.minOrderCents
    const order = await client.query<{ total_amount: string }>(
      'select * from public.place_order($1, $2, $3, $4)',
      [randomUUID(), delivery, randText(totalCents), holds ? promo.code : null],
    )
    outcome.placed = centsFromRand(order.rows[0]!.total_amount)
    throw undone
  }).catch((error: unknown) => {
    if (error !== undone) throw error
  })
  return outcome
}

const delivery = {
  full_name: 'Thandi Mokoena',
  email: 'thandi@example.com',
  phone: '+27825550148',
  address: '12 Beach Road',
  city: 'Kenton-on-Sea',
  state: 'Eastern Cape',
  zip_code: '6191',
  shipping_method: 'door-to-door',
}
