import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { FinishedPage } from './finished-page.ts'

const WORDS = '<p>Kingklip</p>'.repeat(100)
const facts = { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } }
const page = new FinishedPage({ ...facts, use: 'keptForAll' }, WORDS)
const pageSentOnce = new FinishedPage({ ...facts, use: 'sentOnce' }, WORDS)

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['br;q=0.1', 'br'],
  ['br;q=0, zstd', 'zstd'],
  ['deflate', 'identity'],
  [undefined, 'identity'],
])('answers %s with %s, which is small', (accept, encoding) => {
  expect(page.encodingFor(accept)).toBe(encoding)
})

it.each([
  ['gzip, deflate, br, zstd', 'zstd'],
  ['gzip, deflate, br', 'br'],
  ['gzip', 'gzip'],
])('answers %s with %s, which is soon done, when a page is sent once', (accept, encoding) => {
  expect(pageSentOnce.encodingFor(accept)).toBe(encoding)
})

it('is the same page in every encoding', async () => {
  const plain = await page.body('identity')

  expect(brotliDecompressSync(await page.body('br'))).toEqual(plain)
  expect(gunzipSync(await page.body('gzip'))).toEqual(plain)
  expect(zstdDecompressSync(await page.body('zstd'))).toEqual(plain)
  expect((await page.body('br')).byteLength).toBeLessThan(plain.byteLength / 10)
})

it('has its compressed bytes at hand from the second time on', async () => {
  const fresh = new FinishedPage({ status: 200, headers: {}, use: 'keptForAll' }, 'Kabeljou')

  expect(fresh.ready('br')).toBeUndefined()
  await fresh.body('br')
  expect(fresh.ready('br')).toBeDefined()
})

it('is smaller when it is kept for all than when it is sent once', async () => {
  const words = Array.from({ length: 5000 }, (_, n) => `<p>lure ${(n * 7919) % 1013}</p>`).join('')
  const kept = new FinishedPage({ status: 200, headers: {}, use: 'keptForAll' }, words)
  const once = new FinishedPage({ status: 200, headers: {}, use: 'sentOnce' }, words)

  expect((await kept.body('br')).byteLength).toBeLessThan((await once.body('br')).byteLength)
})

it('knows itself by its tag, weak or strong, alone or in a list', () => {
  const tag = page.headersFor('br', 1).etag ?? ''

  expect(page.isKnownTo(tag)).toBe(true)
  expect(page.isKnownTo(`"other", ${tag.replace('W/', '')}`)).toBe(true)
  expect(page.isKnownTo('"other"')).toBe(false)
  expect(page.isKnownTo(null)).toBe(false)
  expect(
    new FinishedPage({ status: 200, headers: {}, use: 'keptForAll' }, 'another').headersFor('br', 1).etag,
  ).not.toBe(tag)
})
