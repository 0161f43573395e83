import { randomUUID } from 'node:crypto'
import type { ShopClient } from '#database'
import { expect, test } from './fixtures/journey.ts'

/** A separate lure for each test, which staff change and remove through the API. */
async function aLure(staff: ShopClient) {
  const slug = `pencil-${randomUUID().slice(0, 8)}`
  const products = () => staff.from('products')
  await products()
    .insert({ name: `Pencil ${slug}`, slug, price: 95, stock_quantity: 9 })
    .throwOnError()
  return {
    slug,
    change: (values: object) => products().update(values).eq('slug', slug).throwOnError(),
    remove: (name = slug) => products().delete().eq('slug', name).throwOnError(),
  }
}

// covers S44
test('a cached page shows a change by staff at once', async ({ request, staff }) => {
  const lure = await aLure(staff)
  const page = async () => (await request.get(`/products/${lure.slug}`)).text()

  for (const price of [111, 222, 333]) {
    await lure.change({ price })
    for (let reload = 0; reload < 3; reload += 1) expect(await page()).toContain(`R${price}`)
  }
  await lure.change({ stock_quantity: 2 })
  expect(await (await request.get(`/products/${lure.slug}/standard`)).text()).toContain('Only 2 left')
  const sitemap = await (await request.get('/sitemap.xml')).text()
  const [, changedAt = ''] = new RegExp(`${lure.slug}</loc>\\s*<lastmod>(.+?)</lastmod>`).exec(sitemap) ?? []
  expect(Date.now() - Date.parse(changedAt)).toBeLessThan(60_000)
  await lure.remove()
})

test('the server sends compressed pages, and status 304 when the browser has the page', async ({
  request,
}) => {
  const first = await request.get('/products', { headers: { 'Accept-Encoding': 'br' } })
  const eTag = first.headers().etag ?? ''
  const again = await request.get('/products', { headers: { 'Accept-Encoding': 'br' } })
  const known = await request.get('/products', { headers: { 'If-None-Match': eTag } })

  expect(first.headers()).toMatchObject({
    'content-encoding': 'br',
    'cache-control': 'public, no-cache',
    vary: 'Accept-Encoding',
  })
  const { date: _first, 'x-request-id': _id, ...headers } = first.headers()
  expect(again.headers()).toMatchObject(headers)
  expect(known.status()).toBe(304)
  expect((await known.body()).byteLength).toBe(0)
})

test('browsers cache files with a hash in the name for ever, and revalidate other files', async ({
  request,
}) => {
  const [script = ''] = /\/assets\/framework[^"]+\.js/.exec(await (await request.get('/')).text()) ?? []
  const headersOf = async (path: string) => (await request.get(path)).headers()

  expect(await headersOf(script)).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
    'x-content-type-options': 'nosniff',
  })
  expect(await headersOf('/service-worker.js')).toMatchObject({ 'cache-control': 'no-cache' })
  expect(await headersOf('/favicon.ico')).toMatchObject({ 'cache-control': 'public, max-age=3600' })
  expect((await headersOf('/assets/no-such-file.js'))['cache-control']).not.toContain('immutable')
})

test('every response names its request, also files, cached pages and refusals', async ({ request }) => {
  const [script = ''] = /\/assets\/framework[^"]+\.js/.exec(await (await request.get('/')).text()) ?? []
  const paths = ['/', '/', script, '/fonts/none.woff2', '/favicon.ico', '/no-such-page', '/rest/v1/products']
  const ids = await Promise.all(
    paths.map(async (path) => (await request.get(path)).headers()['x-request-id'] ?? path),
  )

  expect(ids).toEqual(paths.map(() => expect.stringMatching(/^[\da-f-]{36}$/)))
  expect(new Set(ids).size).toBe(paths.length)
})

test('a cached page is the same for every visitor', async ({ request }) => {
  const plain = await (await request.get('/')).text()
  const other = await request.get('/?utm_source=mail', {
    headers: { Cookie: 'seen=1', 'User-Agent': 'Googlebot', 'Accept-Language': 'af' },
  })

  expect(await other.text()).toBe(plain)
})

// covers S46
test('a renamed lure’s former address redirects, and a removed lure’s address responds with 410', async ({
  page,
  request,
  staff,
}) => {
  const lure = await aLure(staff)
  const moved = `${lure.slug}-two`
  await lure.change({ slug: moved })

  const answer = await request.get(`/products/${lure.slug}/standard`, { maxRedirects: 0 })
  expect(answer.status()).toBe(301)
  expect(answer.headers().location).toBe(`/products/${moved}/standard`)

  await lure.remove(moved)
  const gone = await page.goto(`/products/${lure.slug}`)
  expect(gone?.status()).toBe(410)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`We no longer make Pencil ${lure.slug}`)
  await expect(page.getByRole('link', { name: 'See all lures' })).toBeVisible()
})
