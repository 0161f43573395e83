/** Many buyers of one variant: sustained, and all in the same moment. */
import { setTimeout as pause } from 'node:timers/promises'
import { delivery } from '#test/shopping.ts'
import {
  callData,
  createPeople,
  measurePace,
  send,
  type CrowdCustomer,
  type CrowdRequest,
  type Market,
  type Pace,
  type TradingShop,
  withDatabase,
} from './crowd.ts'

interface Variant {
  id: string
  product_name: string
  product_variant: string
  price: number
}

const SHIPPING = 100

async function variantsOf(shop: Market): Promise<[Variant, ...Variant[]]> {
  const { rows } = await withDatabase(shop.databaseUrl, (client) =>
    client.query<Variant>(
      `select v.id, p.name as product_name, v.name as product_variant, p.price::float8 as price
       from public.product_variants v join public.products p on p.id = v.product_id
       where p.status = 'live' and p.price < 1000 order by p.position, v.position`,
    ),
  )
  const [first, ...others] = rows
  if (!first) throw new Error('The shop sells nothing')
  return [first, ...others]
}

function toCart({ userId, token }: CrowdCustomer, variant: Variant): CrowdRequest {
  const { product_name, product_variant, price } = variant
  const body = { user_id: userId, product_name, product_variant, price, quantity: 1, with_hooks: false }
  return { path: '/rest/v1/cart_items', method: 'POST', token, body }
}

function toOrder({ token }: CrowdCustomer, { price }: Variant): CrowdRequest {
  const body = { idempotency_key: crypto.randomUUID(), delivery, expected_total: price + SHIPPING }
  return { path: '/rest/v1/rpc/place_order', method: 'POST', token, body }
}

/** Cart insert and order, another customer each time: of the first variant only, or of each variant in turn. */
export async function sales(
  shop: Market,
  which: 'one' | 'many',
  count: number,
): Promise<(() => Promise<string>)[]> {
  const variants = await variantsOf(shop)
  await setStock(shop, variants[0], 1_000_000)
  const people = await createPeople(shop, count)
  return people.map((person, i) => async () => {
    const variant = variants[which === 'one' ? 0 : i % variants.length] ?? variants[0]
    await callData(shop, toCart(person, variant))
    return callData(shop, toOrder(person, variant))
  })
}

/** As `sales`, by 8 clients. */
export async function sell(shop: Market, which: 'one' | 'many', count: number): Promise<Pace> {
  return measurePace(await sales(shop, which, count), 8)
}

/** Ends all reservations, as if they had expired. */
async function setStock(shop: Market, { id }: Variant, units: number): Promise<void> {
  await withDatabase(shop.databaseUrl, async (client) => {
    await client.query('delete from public.stock_reservations')
    await client.query('vacuum analyze public.stock_reservations')
    await client.query('update public.product_variants set stock_quantity = $2 where id = $1', [id, units])
  })
}

export interface Drop {
  placed: number
  soldOut: number
  /** Answers that were neither, after retries. */
  errors: number
  /** Refusals for overload, each repeated by its buyer. */
  retries: number
  /** From the addition to the cart to the answer, for each buyer. */
  answersMs: number[]
  /** Of pages, for those who only browse meanwhile. */
  pagesMs: number[]
  /** By how many places the last buyer who got a piece was behind the last who could expect one, by the time of the order's call. */
  overtaken: number
}

const PAGES = ['/', '/products', '/products/chisel-nose-popper-150']

/** Buyers who add one piece to the cart and order it, all at once, while others browse. */
export async function drop(
  shop: TradingShop,
  { buyers = 500, pieces = 100, browsers = 10 } = {},
): Promise<Drop> {
  const [variant] = await variantsOf(shop)
  await setStock(shop, variant, pieces)
  const people = await createPeople(shop, buyers)
  const result: Drop = {
    placed: 0,
    soldOut: 0,
    errors: 0,
    retries: 0,
    answersMs: [],
    pagesMs: [],
    overtaken: 0,
  }
  const ordered: boolean[] = []
  const over = new AbortController()

  const browse = async (index: number) => {
    await pause(index * 10)
    for (let page = index; !over.signal.aborted; page += 1) {
      const begin = performance.now()
      // oxlint-disable-next-line no-await-in-loop -- a visitor reads one page after another
      const { status } = await send(shop, { path: PAGES[page % PAGES.length] ?? '/' })
      if (status !== 200) result.errors += 1
      result.pagesMs.push(performance.now() - begin)
      // oxlint-disable-next-line no-await-in-loop
      await pause(100)
    }
  }
  const buy = async (person: CrowdCustomer) => {
    const begin = performance.now()
    await untilAccepted(shop, toCart(person, variant), result)
    const place = ordered.push(false) - 1
    const { status, body } = await untilAccepted(shop, toOrder(person, variant), result)
    result.answersMs.push(performance.now() - begin)
    if (status === 200) ordered[place] = true
    if (status === 200) result.placed += 1
    else if (body.includes('sold_out')) result.soldOut += 1
    else result.errors += 1
  }

  const browsing = Array.from({ length: browsers }, (_, index) => browse(index))
  await pause(200)
  result.pagesMs.length = 0
  await Promise.all(people.map(buy))
  over.abort()
  await Promise.all(browsing)
  result.overtaken = Math.max(0, ordered.lastIndexOf(true) + 1 - pieces)
  return result
}

/** Repeats a call that is refused for overload after the time that the refusal names. */
async function untilAccepted(shop: TradingShop, wanted: CrowdRequest, result: Drop) {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- a buyer repeats the call
    const answer = await send(shop, wanted)
    if (answer.status !== 503) return answer
    result.retries += 1
    // oxlint-disable-next-line no-await-in-loop
    await pause(2000)
  }
}
