import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { RenderedPage } from './rendered-page.ts'

const HTML = '<p>Kingklip</p>'.repeat(100)
const options = { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } }
const page = new RenderedPage({ ...options, use: 'cached' }, HTML)
const pageSentOnce = new RenderedPage({ ...options, use: 'single' }, HTML)

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['br;q=0.1', 'br'],
  ['br;q=0, zstd', 'zstd'],
  ['deflate', 'identity'],
  [undefined, 'identity'],
])('encodes a cached page for Accept-Encoding %s as %s', (accept, encoding) => {
  expect(page.encodingFor(accept)).toBe(encoding)
})

it.each([
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
])('encodes an uncached page for Accept-Encoding %s as %s', (accept, encoding) => {
  expect(pageSentOnce.encodingFor(accept)).toBe(encoding)
})

it('encodes the same page content in every encoding', async () => {
  const plain = await page.body('identity')

  expect(brotliDecompressSync(await page.body('br'))).toEqual(plain)
  expect(gunzipSync(await page.body('gzip'))).toEqual(plain)
  expect(zstdDecompressSync(await page.body('zstd'))).toEqual(plain)
  expect((await page.body('br')).byteLength).toBeLessThan(plain.byteLength / 10)
})

it('caches a page’s compressed body after the first request', async () => {
  const fresh = new RenderedPage({ status: 200, headers: {}, use: 'cached' }, 'Kabeljou')

  expect(fresh.encodedBody('br')).toBeUndefined()
  await fresh.body('br')
  expect(fresh.encodedBody('br')).toBeDefined()
})

it('compresses a page once for visitors who ask at the same moment', async () => {
  const fresh = new RenderedPage({ status: 200, headers: {}, use: 'cached' }, 'Kabeljou')
  const [first, second] = await Promise.all([fresh.body('br'), fresh.body('br')])

  expect(second).toBe(first)
})

it('compresses a cached page more strongly than an uncached page', async () => {
  const html = Array.from({ length: 5000 }, (_, n) => `<p>lure ${(n * 7919) % 1013}</p>`).join('')
  const cached = new RenderedPage({ status: 200, headers: {}, use: 'cached' }, html)
  const single = new RenderedPage({ status: 200, headers: {}, use: 'single' }, html)

  expect((await cached.body('br')).byteLength).toBeLessThan((await single.body('br')).byteLength)
})

it('matches a page’s ETag, weak or strong, alone or in a list', () => {
  const tag = page.headersFor('br', 1).etag ?? ''

  expect(page.matchesETag(tag)).toBe(true)
  expect(page.matchesETag(`"other", ${tag.replace('W/', '')}`)).toBe(true)
  expect(page.matchesETag('"other"')).toBe(false)
  expect(page.matchesETag(null)).toBe(false)
})

it('changes the ETag when the content changes but not its length', () => {
  const [first, same, other] = ['R111', 'R111', 'R222'].map(
    (price) => new RenderedPage({ ...options, use: 'cached' }, `<p>${price}</p>`).eTag,
  )

  expect(same).toBe(first)
  expect(other).not.toBe(first)
})
