/**
 * `node bench/compare-trees.ts <folder> [<word>]`: compares this tree with another checkout of the shop, whose packages are installed and
 * whose pages are built; a word selects the measures with it in their name. Both run at once on the first core and are measured in turn, so
 * that other load on the machine affects both equally. Of two shops the one that started first is often a tenth slower, so each tree starts
 * first once. Prints medians and the ratio of this tree to the other, above 1 where this tree is faster.
 */
import { resolve } from 'node:path'
import {
  callData,
  createAdmin,
  createPeople,
  createPeopleWithCarts,
  measurePace,
  openTradingShop,
  orderRequest,
  type TradingShop,
  withDatabase,
} from './crowd.ts'
import { drop, sell } from './drop.ts'
import { fillShop } from './large-shop.ts'
import { installTools, loadTest } from './measured-shop.ts'
import { median, percentile } from './result.ts'
import { orderAndPay, signUp } from './whole-order.ts'

/** For each order of starts. */
const ROUNDS = 5
const CLIENTS = 8
const PATHS = ['/', '/products', '/products/chisel-nose-popper-150', '/gallery']
const READS = new Map([
  [
    'catalogue',
    '/rest/v1/products?select=id,slug,name,price,images,product_variants(id,name)&status=eq.live',
  ],
  ['orders of an admin', '/rest/v1/orders?select=*,order_items(*)&order=created_at.desc&limit=50'],
])

/** Returns how many times per second a shop does something. */
type Measure = (shop: TradingShop) => Promise<number>

function measures(): Map<string, Measure> {
  const all = new Map<string, Measure>()
  for (const path of PATHS) all.set(`page ${path}, per CPU second`, (shop) => pagesPerCpuSecond(shop, path))
  for (const [name, path] of READS) all.set(`read: ${name}`, (shop) => readsPerSecond(shop, path))
  all.set('cart insert', cartInsertsPerSecond)
  all.set('order placed', ordersPerSecond)
  all.set('whole order, sign-in to paid', wholeOrdersPerSecond)
  for (const which of ['one', 'many'] as const) {
    all.set(`drop: cart and order, ${which === 'one' ? 'one variant' : 'many variants'}`, async (shop) => {
      const { perSecond } = await sell(shop, which, 300)
      return perSecond
    })
  }
  all.set('drop: 500 buyers of 100 pieces, 1 / p99 of the answers', async (shop) =>
    perSecondOfP99((await drop(shop)).answersMs),
  )
  all.set('drop: 500 buyers of 100 pieces, 1 / p99 of the pages', async (shop) =>
    perSecondOfP99((await drop(shop)).pagesMs),
  )
  return all
}

async function pagesPerCpuSecond(shop: TradingShop, path: string): Promise<number> {
  const { perCpuSecond } = await loadTest({ url: shop.url + path, pid: shop.process.pid }, { seconds: 3 })
  return perCpuSecond
}

async function readsPerSecond(shop: TradingShop, path: string): Promise<number> {
  const { token } = await createAdmin(shop)
  return pace(Array.from({ length: 800 }, () => () => callData(shop, { path, token })))
}

async function cartInsertsPerSecond(shop: TradingShop): Promise<number> {
  const people = await createPeople(shop, 300)
  const { rows } = await withDatabase(shop.databaseUrl, (client) =>
    client.query(`select p.name as product_name, v.name as product_variant, p.price::float8 as price
      from public.product_variants v join public.products p on p.id = v.product_id order by p.position, v.position limit 1`),
  )
  return pace(
    people.map(({ userId, token }) => () => {
      const body = { user_id: userId, ...rows[0], quantity: 1, with_hooks: false }
      return callData(shop, { path: '/rest/v1/cart_items', method: 'POST', token, body })
    }),
  )
}

async function ordersPerSecond(shop: TradingShop): Promise<number> {
  const people = await createPeopleWithCarts(shop, 250)
  return pace(people.map((person) => () => callData(shop, orderRequest(person))))
}

async function wholeOrdersPerSecond(shop: TradingShop): Promise<number> {
  const accounts = await Promise.all(Array.from({ length: 12 }, () => signUp(shop)))
  return pace(accounts.map((account) => () => orderAndPay(shop, account)))
}

function perSecondOfP99(times: number[]): number {
  return 1000 / percentile(times, 0.99)
}

async function pace(works: (() => Promise<unknown>)[]): Promise<number> {
  const { perSecond } = await measurePace(works, CLIENTS)
  return perSecond
}

function rounded(rate: number): string {
  return rate < 20 ? rate.toFixed(2) : rate.toFixed(0)
}

async function openFilledShop(folder?: string): Promise<TradingShop> {
  const shop = await openTradingShop({}, folder)
  await withDatabase(shop.databaseUrl, async (client) => {
    await fillShop(client, { clients: 200, orders: 2000 })
    await client.query('update public.product_variants set stock_quantity = 1000000')
    await client.query('analyze')
  })
  return shop
}

/** Results of this tree and of the other. */
type Results = [ours: number[], theirs: number[]]

/** The turns alternate, so that neither shop always runs after the other. */
async function addRounds(measure: Measure, shops: Shops, results: Results): Promise<void> {
  for (const shop of shops) await measure(shop)
  for (let round = 0; round < ROUNDS; round += 1) {
    const turns = round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)
    for (const turn of turns) results[turn].push(await measure(shops[turn]))
  }
}

type Shops = [ours: TradingShop, theirs: TradingShop]

async function openShops(folder: string, isOursFirst: boolean): Promise<Shops> {
  if (isOursFirst) return [await openFilledShop(), await openFilledShop(folder)]
  const theirs = await openFilledShop(folder)
  return [await openFilledShop(), theirs]
}

/** A shop that has just been filled still does other work: in three runs the page that was measured first came out lowest. */
async function warmUp(shops: Shops): Promise<void> {
  for (const path of PATHS) for (const shop of shops) await pagesPerCpuSecond(shop, path)
}

const [folder, word = ''] = process.argv.slice(2)
if (!folder) throw new Error('Usage: node bench/compare-trees.ts <folder of the other checkout> [<word>]')
installTools()
const chosen = [...measures()].filter(([name]) => name.includes(word))
const results = new Map(chosen.map(([name]): [string, Results] => [name, [[], []]]))
for (const isOursFirst of [true, false]) {
  const shops = await openShops(resolve(folder), isOursFirst)
  try {
    await warmUp(shops)
    for (const [name, measure] of chosen) await addRounds(measure, shops, results.get(name) ?? [[], []])
  } finally {
    await Promise.all(shops.map((shop) => shop.stop()))
  }
}
for (const [name, both] of results) {
  const [ours, theirs] = [median(both[0]), median(both[1])]
  console.log(
    `${name.padEnd(56)} ${rounded(ours)}/s, other ${rounded(theirs)}/s, ${(ours / theirs).toFixed(2)}×`,
  )
}
