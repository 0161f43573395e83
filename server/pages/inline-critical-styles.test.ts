import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inlineCriticalStyles, styleSheetsIn } from './inline-critical-styles.ts'

const PAGE = [
  '<html><head><link rel="modulepreload" href="/a.js" nonce="abc"/>',
  '<link nonce="abc" rel="stylesheet" href="/page.css#"/></head>',
  '<body><script nonce="abc">early()</script><script nonce="abc" type="module" async="">import "/a.js"</script></body></html>',
].join('')

const styleSheets = async (address: string) => Buffer.from(`.of{content:'${address}'}`)
const inlined = String(await inlineCriticalStyles(Buffer.from(PAGE), { nonce: 'abc', styleSheets }))

it('inlines a page’s style sheets and disables the style sheet links', () => {
  expect(inlined).toContain(`<style nonce="abc">.of{content:'/page.css'}</style>`)
  expect(inlined).toContain('<link nonce="abc" rel="stylesheet" href="/page.css#" disabled=""/>')
})

it('defers a page’s module scripts and preloads but keeps inline scripts', () => {
  expect(inlined).not.toMatch(/rel="modulepreload"|type="module"/)
  expect(inlined).toContain('<script nonce="abc">early()</script>')
})

it('puts the inlined styles and the hydration script into the page’s head', () => {
  const head = inlined.slice(0, inlined.indexOf('</head>'))

  expect(head).toMatch(/<\/style><script nonce="abc">\(function deferHydration/)
})

it('reads each style sheet file only once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'styles-'))
  await writeFile(join(folder, 'a.css'), '.a{}')
  const sheets = styleSheetsIn(folder)

  const first = await sheets('/a.css')
  await rm(folder, { recursive: true })

  expect(await sheets('/a.css')).toBe(first)
})
