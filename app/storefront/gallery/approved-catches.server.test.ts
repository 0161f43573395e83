import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type TestShop } from '#test/shop.ts'
import { listApprovedCatches } from './approved-catches.server.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const photo = (name: string) => `/storage/v1/object/public/site/gallery/${name}.jpg`

it('lists only approved gallery photos, newest first', async () => {
  await insertCatch('Sipho', { status: 'approved', sentOn: '2026-01-01', pictures: [photo('01-deck')] })
  await insertCatch('Thandi', {
    status: 'approved',
    sentOn: '2026-02-01',
    pictures: [photo('02-sand'), photo('05-rock')],
  })
  await insertCatch('Johan', { status: 'pending', sentOn: '2026-03-01', pictures: [photo('06-trio')] })
  await insertCatch('Pieter', { status: 'declined', sentOn: '2026-04-01', pictures: [photo('08-tail')] })

  const catches = await listApprovedCatches(shop.client(), { limit: 24 })

  expect(catches.map(({ customerName, pictures }) => [customerName, pictures.length])).toEqual([
    ['Thandi', 2],
    ['Sipho', 1],
  ])
})

// covers S14
it('lists the approved gallery photos of one lure', async () => {
  const { rows } = await shop.database.owner.query<{ id: string }>(
    'select id from public.products order by position limit 2',
  )
  const [lure, other] = rows.map(({ id }) => id)
  await insertCatch('Lerato', {
    status: 'approved',
    sentOn: '2026-05-01',
    pictures: [photo('03-rod-tip')],
    lure,
  })
  await insertCatch('Anele', {
    status: 'pending',
    sentOn: '2026-05-02',
    pictures: [photo('07-dusk-surface')],
    lure,
  })
  await insertCatch('Kobus', {
    status: 'approved',
    sentOn: '2026-05-03',
    pictures: [photo('10-bent-rod')],
    lure: other,
  })

  const catches = await listApprovedCatches(shop.client(), { productId: lure ?? '', limit: 3 })

  expect(catches.map(({ customerName }) => customerName)).toEqual(['Lerato'])
})

it('lists the lure and colour of each gallery photo', async () => {
  const { rows } = await shop.database.owner.query<{ product_id: string; variant_id: string; name: string }>(
    `select p.id as product_id, v.id as variant_id, p.name from public.products p
     join public.product_variants v on v.product_id = p.id where v.slug like 'mahi%' and p.slug like '%200'`,
  )
  const [lure] = rows
  await shop.database.owner.query(
    `update public.gallery_submissions set product_id = $1, variant_id = $2 where customer_name in ('Sipho', 'Johan')`,
    [lure?.product_id, lure?.variant_id],
  )

  const catches = await listApprovedCatches(shop.client(), { productId: lure?.product_id ?? '', limit: 3 })

  expect(catches.map(({ customerName, lure: caughtOn }) => [customerName, caughtOn])).toEqual([
    ['Sipho', { name: lure?.name, path: expect.stringMatching(/^\/products\/.+\/mahi-mahi/) }],
  ])
})

interface Photos {
  lure?: string
  status: string
  sentOn: string
  pictures: string[]
}

async function insertCatch(customer: string, { status, sentOn, pictures, lure }: Photos): Promise<void> {
  await shop.database.owner.query(
    `insert into public.gallery_submissions (customer_name, description, status, created_at, image_url, image_urls, product_id)
     values ($1, 'Garrick off the rocks at first light.', $2, $3, $4, $5, $6)`,
    [customer, status, sentOn, pictures[0], pictures, lure ?? null],
  )
}
