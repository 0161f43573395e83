import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { bestEncoding, FinishedPage } from './finished-page.ts'

const page = new FinishedPage(
  200,
  { 'content-type': 'text/html; charset=utf-8' },
  '<p>Kingklip</p>'.repeat(100),
)

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['br;q=0.1', 'br'],
  ['deflate', 'identity'],
  [undefined, 'identity'],
])('answers %s with %s', (accept, encoding) => {
  expect(bestEncoding(accept)).toBe(encoding)
})

it('is the same page in every encoding', async () => {
  const plain = await page.body('identity')

  expect(brotliDecompressSync(await page.body('br'))).toEqual(plain)
  expect(gunzipSync(await page.body('gzip'))).toEqual(plain)
  expect((await page.body('br')).byteLength).toBeLessThan(plain.byteLength / 10)
})

it('has its compressed bytes at hand from the second time on', async () => {
  const fresh = new FinishedPage(200, {}, 'Kabeljou')

  expect(fresh.ready('br')).toBeUndefined()
  await fresh.body('br')
  expect(fresh.ready('br')).toBeDefined()
})

it('knows itself by its tag, weak or strong, alone or in a list', () => {
  const tag = page.headersFor('br', 1).etag ?? ''

  expect(page.isKnownTo(tag)).toBe(true)
  expect(page.isKnownTo(`"other", ${tag.replace('W/', '')}`)).toBe(true)
  expect(page.isKnownTo('"other"')).toBe(false)
  expect(page.isKnownTo(null)).toBe(false)
  expect(new FinishedPage(200, {}, 'another').headersFor('br', 1).etag).not.toBe(tag)
})
