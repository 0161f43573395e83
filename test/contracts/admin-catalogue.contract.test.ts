import type { SupabaseClient } from '@supabase/supabase-js'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { csvText } from '#app/admin/export/csv.ts'
import { readCsv } from '#app/admin/export/read-csv.ts'
import { fileRow } from '#app/admin/products/file/catalogue-file.ts'
import { FILE_COLUMNS, parseCatalogueRows } from '#app/admin/products/file/file-columns.ts'
import { PRODUCTS } from '#app/admin/products/product-list.ts'
import { listProducts } from '#app/storefront/catalogue/catalogue.server.ts'
import { revokedAdmin } from '#test/revoked-admin.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'
const POPPER = 'chisel-nose-popper-150'

let shop: TestShop
let admin: Person
beforeAll(async () => {
  shop = await openShop()
  admin = await shop.admin()
})
afterAll(() => shop.close())

const PEOPLE: Record<string, () => Promise<SupabaseClient>> = {
  'a visitor': async () => shop.client(),
  'a customer': async () => (await shop.signUp()).client,
  'a revoked admin': () => revokedAdmin(shop),
}

const CALLS: [string, Record<string, unknown>][] = [
  ['save_product', { product_id: NOBODY, changes: {} }],
  ['duplicate_product', { product_id: NOBODY }],
  ['adjust_stock', { variant_id: NOBODY, reason: 'made', quantity: 1 }],
  ['stock_history', { product_id: NOBODY }],
  ['unshipped_units', { product_id: NOBODY }],
  ['list_low_stock', {}],
  ['low_stock_threshold', {}],
  ['set_low_stock_threshold', { at_most: 100 }],
  ['import_catalogue', { rows: [{ lure: 'kite', colour: 'blue' }] }],
]

describe.each(Object.entries(PEOPLE))('%s', (_person, signIn) => {
  it.each(CALLS)('does not let non-admins call the function %s', async (name, given) => {
    const { error } = await (await signIn()).rpc(name, given)

    expect(error?.code).toBe('42501')
  })

  it('does not let non-admins upload, replace or remove a catalogue picture', async () => {
    const address = await upload(admin.client)
    const files = (await signIn()).storage.from('catalogue')

    const put = await files.upload(pictureName(), await aPicture(), { contentType: 'image/jpeg' })
    const replaced = await files.update(address, await aPicture(), { contentType: 'image/jpeg' })
    await files.remove([address])

    expect([put.error?.message, replaced.error?.message]).toEqual([
      'new row violates row-level security policy',
      'new row violates row-level security policy',
    ])
    expect((await shop.fetch(`/storage/v1/object/public/catalogue/${address}`)).status).toBe(200)
  })

  it('does not let non-admins read a draft product or the colours', async () => {
    const { data: draft } = await admin.client.rpc('duplicate_product', { product_id: (await popper()).id })
    const client = await signIn()

    const lure = await client.from('products').select('id').eq('id', draft)
    const colours = await client.from('product_variants').select('id').eq('product_id', draft)

    expect([lure.data, colours.data]).toEqual([[], []])
  })
})

// covers A21
describe('a catalogue picture', () => {
  it('serves a catalogue picture in every width and format under an immutable URL', async () => {
    const name = await upload(admin.client)

    const small = await shop.fetch(`/storage/v1/render/image/public/catalogue/${name}?width=320&quality=70`, {
      headers: { accept: 'image/avif,image/webp' },
    })
    const again = await admin.client.storage
      .from('catalogue')
      .upload(name, await aPicture(), { contentType: 'image/jpeg', upsert: true })

    expect(small.headers.get('content-type')).toBe('image/avif')
    expect(small.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect((await sharp(await small.arrayBuffer()).metadata()).width).toBe(320)
    expect(again.error).not.toBeNull()
  })

  it('accepts only image files in the upload folder as catalogue pictures', async () => {
    const files = admin.client.storage.from('catalogue')

    const elsewhere = await files.upload('popper-150-main-2.jpg', await aPicture(), {
      contentType: 'image/jpeg',
    })
    const text = await files.upload(pictureName(), 'no picture', { contentType: 'image/jpeg' })

    expect(elsewhere.error?.message).toBe('new row violates row-level security policy')
    expect(text.error?.message).toMatch(/mime type/)
  })

  it('deletes a catalogue picture that no product has used for a week', async () => {
    const [forgotten = '', shown = '', replaced = '', ofColour = '', fresh = ''] = await Promise.all(
      Array.from({ length: 5 }, () => upload(admin.client)),
    )
    const { data: draft } = await admin.client
      .from('products')
      .insert({ name: 'Pencil', price: 90 })
      .select()
      .single()
      .throwOnError()
    for (const name of [replaced, shown]) {
      const { error } = await admin.client
        .from('products')
        .update({ image_url: addressOf(name) })
        .eq('id', draft.id)
      expect(error).toBeNull()
    }
    await admin.client
      .from('product_variants')
      .insert({ product_id: draft.id, slug: 'sardine', name: 'Sardine', image_url: addressOf(ofColour) })
    await shop.database.owner.query(
      `update storage.objects set created_at = now() - interval '8 days' where name = any ($1)`,
      [[forgotten, shown, replaced, ofColour]],
    )

    await shop.database.owner.query(`select graphile_worker.add_job('delete_unused_pictures')`)
    await shop.runJobs()

    const isThere = async (name: string) => (await shop.fetch(addressOf(name))).status === 200
    expect(await isThere(forgotten)).toBe(false)
    for (const name of [shown, replaced, ofColour, fresh]) expect(await isThere(name)).toBe(true)
  })
})

describe('a saved product', () => {
  it('shows the next visitor a product’s saved price, colours and pictures', async () => {
    const { id } = await popper()
    const images = [
      { url: addressOf(await upload(admin.client)), alt: 'From the side' },
      { url: addressOf(await upload(admin.client)), alt: 'From below' },
    ]
    const { data } = await admin.client.from('products').select('price, images').eq('id', id).single()

    const { error } = await admin.client.rpc('save_product', {
      product_id: id,
      changes: {
        product: { price: { was: data?.price, now: 118 }, images: { was: data?.images, now: images } },
        added: { fresh: { name: 'Zebra', stock_quantity: 2, image_url: images[1]?.url, image_alt: 'Zebra' } },
      },
    })

    const shown = (await listProducts(shop.client(), { limit: 24 })).find(({ slug }) => slug === POPPER)
    expect(error).toBeNull()
    expect(shown).toMatchObject({ priceCents: 118_00, picture: images[0], morePictures: [images[1]] })
    expect(shown?.variants.find(({ name }) => name === 'Zebra')).toMatchObject({
      slug: 'zebra',
      available: 2,
    })
  })

  it('does not overwrite another admin’s newer product version, and returns both versions', async () => {
    const { id } = await popper()
    const other = await shop.admin()
    const save = (client: SupabaseClient, now: string) =>
      client.rpc('save_product', { product_id: id, changes: { product: { model: { was: 'CNP-150', now } } } })
    await save(other.client, 'CNP-151')

    const { error } = await save(admin.client, 'CNP-152')

    expect(error).toMatchObject({ code: 'PT409', details: 'product_changed' })
    expect(JSON.parse(error?.hint ?? '{}')).toEqual({ product: { model: 'CNP-151' } })
  })
})

it('lists products by status, by scheduled launch and by a word of the name, category or model', async () => {
  const { data: draft } = await admin.client.rpc('duplicate_product', { product_id: (await popper()).id })
  await admin.client
    .from('products')
    .update({ name: 'Kite', category: 'Gliders', model: 'KT-90', publish_at: '2099-01-01T00:00:00Z' })
    .eq('id', draft ?? '')
    .throwOnError()
  const names = async (search: string, filters: Record<string, string> = {}) => {
    const { data } = await PRODUCTS.buildQuery(admin.client, { search, filters }).retry(false)
    return data?.map(({ name }) => name)
  }

  expect(await names('', { launch: 'scheduled' })).toEqual(['Kite'])
  expect(await names('kit', { status: 'draft' })).toEqual(['Kite'])
  expect(await names('kit', { status: 'live' })).toEqual([])
  expect(await names('glider')).toEqual(['Kite'])
  expect(await names('kt-9')).toEqual(['Kite'])
})

it('changes nothing when an exported catalogue is imported again after a sale', async () => {
  const { data: products } = await admin.client
    .from('products')
    .select('*, product_variants(*)')
    .throwOnError()
  const lines = products.flatMap(({ product_variants, ...product }) =>
    product_variants.map((variant) => fileRow(product, variant)),
  )
  const headers = FILE_COLUMNS.map(({ header }) => header)
  const rows = parseCatalogueRows(readCsv(csvText(headers, lines)))
  const sold = products
    .flatMap(({ product_variants }) => product_variants)
    .find((v) => v.stock_quantity > 0)?.id
  await admin.client
    .rpc('adjust_stock', { variant_id: sold ?? '', reason: 'expo', quantity: 1 })
    .throwOnError()

  const { data: report, error } = await admin.client.rpc('import_catalogue', { rows })

  expect(error).toBeNull()
  expect(report).toHaveLength(lines.length)
  expect(new Set(report?.map(({ outcome }) => outcome))).toEqual(new Set(['same']))
})

async function popper(): Promise<{ id: string }> {
  const { data, error } = await admin.client.from('products').select('id').eq('slug', POPPER).single()
  if (error) throw error
  return data
}

function addressOf(name: string): string {
  return `/storage/v1/object/public/catalogue/${name}`
}

function pictureName(): string {
  return `uploads/${crypto.randomUUID()}.jpg`
}

async function aPicture(): Promise<Blob> {
  const picture = sharp({ create: { width: 640, height: 640, channels: 3, background: '#c23a10' } })
  return new Blob([new Uint8Array(await picture.jpeg().toBuffer())], { type: 'image/jpeg' })
}

/** Uploads a picture as the browser does and returns its name. */
async function upload(client: SupabaseClient): Promise<string> {
  const name = pictureName()
  const { error } = await client.storage
    .from('catalogue')
    .upload(name, await aPicture(), { contentType: 'image/jpeg' })
  if (error) throw error
  return name
}
