import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { paintFirst, styleSheetsIn } from './paint-first.ts'

const PAGE = [
  '<html><head><link rel="modulepreload" href="/a.js" nonce="abc"/>',
  '<link nonce="abc" rel="stylesheet" href="/page.css#"/></head>',
  '<body><script nonce="abc">early()</script><script nonce="abc" type="module" async="">import "/a.js"</script></body></html>',
].join('')

const styleSheets = async (address: string) => Buffer.from(`.of{content:'${address}'}`)
const painted = String(await paintFirst(Buffer.from(PAGE), { nonce: 'abc', styleSheets }))

it('carries the rules of its style sheets, which are not asked for then', () => {
  expect(painted).toContain(`<style nonce="abc">.of{content:'/page.css'}</style>`)
  expect(painted).toContain('<link nonce="abc" rel="stylesheet" href="/page.css#" disabled=""/>')
})

it('lets no script be fetched or run but those that are inline', () => {
  expect(painted).not.toMatch(/rel="modulepreload"|type="module"/)
  expect(painted).toContain('<script nonce="abc">early()</script>')
})

it('has its rules before anything that is shown, and a script that starts the others', () => {
  const head = painted.slice(0, painted.indexOf('</head>'))

  expect(head).toMatch(/<\/style><script nonce="abc">\(function startLate/)
})

it('reads a style sheet once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'styles-'))
  await writeFile(join(folder, 'a.css'), '.a{}')
  const sheets = styleSheetsIn(folder)

  const first = await sheets('/a.css')
  await rm(folder, { recursive: true })

  expect(await sheets('/a.css')).toBe(first)
})
