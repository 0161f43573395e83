import { expect } from 'vitest'
import { matches } from '#domain/search.ts'
import { type TestTransaction, test } from './sql.ts'

interface Found {
  count: number
  ids: string[]
}

async function namesFound(
  sql: TestTransaction,
  filters: Record<string, unknown>,
): Promise<{ count: number; names: string[] }> {
  const named = Object.keys(filters).map((name, place) => `${name} => $${place + 1}`)
  const { count, ids } = await sql.value<Found>(
    `select public.search_products(${named.join()})`,
    Object.values(filters),
  )
  const names = await sql.value<string[]>(
    `select coalesce(array_agg(p.name order by n), '{}') from unnest($1::uuid[]) with ordinality i (id, n) join public.products p using (id)`,
    [ids],
  )
  return { count, names }
}

const STICK_BAIT = 'Slow Sinking Stick Bait (180mm/150G)'
const SMALL_POPPER = 'Chisel Nose Popper 150mm/30G'
const BIG_POPPER = 'Chisel Nose Popper 200mm/50G'

test.for([
  [{}, [STICK_BAIT, SMALL_POPPER, BIG_POPPER]],
  [{ kind: 'Poppers' }, [SMALL_POPPER, BIG_POPPER]],
  [{ length_mm: 180 }, [STICK_BAIT]],
  [{ weight_grams: 50 }, [BIG_POPPER]],
  [{ max_price: 140 }, [SMALL_POPPER, BIG_POPPER]],
  [{ kind: 'Poppers', max_price: 110 }, [SMALL_POPPER]],
  [{ kind: 'Spoons' }, []],
  [{ term: 'popper', length_mm: 200 }, [BIG_POPPER]],
] as const)('finds by the catalogue filter %j the products %j', async ([filters, names], { sql }) => {
  await sql.as('anon')

  expect(await namesFound(sql, filters)).toEqual({ count: names.length, names })
})

test('returns the total number of products with each catalogue page', async ({ sql }) => {
  await sql.as('anon')

  expect(await namesFound(sql, { skipped: 1, at_most: 1 })).toEqual({ count: 3, names: [SMALL_POPPER] })
})

test('excludes fully reserved and made-to-order products from the in-stock filter', async ({ sql }) => {
  await sql.rows(`update public.product_variants set stock_quantity = 0`)
  await sql.rows(`update public.products set made_to_order = true where name = $1`, [SMALL_POPPER])
  await sql.rows(
    `update public.product_variants v set stock_quantity = 2 from public.products p
     where p.id = v.product_id and p.name = $1 and v.slug = (select min(slug) from public.product_variants where product_id = p.id)`,
    [BIG_POPPER],
  )
  expect((await namesFound(sql, { in_stock: true })).names).toEqual([BIG_POPPER])

  await sql.rows(
    `insert into public.orders (id, total_amount, shipping_method, shipping_address, shipping_city, shipping_state, shipping_zip)
     values (gen_random_uuid(), 0, 'locker', '1 Beach Road', 'Durban', 'KwaZulu-Natal', '4001')`,
  )
  await sql.rows(
    `insert into public.stock_reservations (order_id, variant_id, quantity, expires_at)
     select o.id, v.id, 2, now() + interval '1 hour' from public.orders o, public.product_variants v where v.stock_quantity = 2`,
  )
  expect((await namesFound(sql, { in_stock: true })).names).toEqual([])
  expect(
    await sql.value(
      'select sum(a.available)::int from public.product_availability a join public.products p on p.id = a.product_id where p.name = $1',
      [BIG_POPPER],
    ),
  ).toBe(0)
})

test('offers the filters of the products that visitors see', async ({ sql }) => {
  await sql.rows(`update public.products set status = 'hidden' where name = $1`, [STICK_BAIT])
  const filters = () => sql.value('select public.catalogue_filters()')
  await sql.as('anon')

  expect(await filters()).toEqual({
    lures: 2,
    kinds: [{ kind: 'Poppers', lures: 2, from_price: 110, lengths_mm: [150, 200] }],
    lengths_mm: [150, 200],
    weights_grams: [30, 50],
    prices: [110, 140],
  })
  await sql.asShop()
  await sql.rows(`update public.products set category = '' where name = $1`, [BIG_POPPER])
  expect(await filters()).toMatchObject({
    kinds: [
      { kind: 'Poppers', lures: 1, from_price: 110 },
      { kind: 'Others', lures: 1, from_price: 140 },
    ],
  })
  expect(await namesFound(sql, { kind: 'Others' })).toEqual({ count: 1, names: [BIG_POPPER] })
})

/** The queries of `domain/search.test.ts`, and foreign letters. */
const SEARCHES = [
  'pop',
  'popper',
  'poppers',
  'red head',
  'redhead',
  'RED-HEAD',
  'head red',
  '150',
  '150mm',
  'chisel 30g',
  'poper',
  'popepr',
  'chissel',
  'redhaed',
  'redhed',
  'chisle nose',
  'poppre',
  'stick biat',
  'sinkng',
  'stickbait',
  'stick bait',
  '140',
  '151mm',
  'mahi',
  'red snapper',
  'pap',
  'mahi 200',
  'pink',
  'مرحبا',
  '鯛',
  '🐟',
  '...',
  'slow sinking stick bait 180mm 150g blue reaper',
]

test.for(SEARCHES)(
  'finds the same products for the search term %j as domain/search.ts',
  async (term, { sql }) => {
    const catalogue = await sql.rows<{ name: string; words: string }>(
      `select p.name, concat_ws(' ', p.name, p.category, string_agg(v.name, ' ')) as words
     from public.products p join public.product_variants v on v.product_id = p.id group by p.id order by p.position`,
    )
    await sql.as('anon')

    const expected = catalogue.filter(({ words }) => matches(words, term)).map(({ name }) => name)
    expect((await namesFound(sql, { term })).names).toEqual(expected)
  },
)
