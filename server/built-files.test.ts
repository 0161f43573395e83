import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serveBuiltFiles } from './built-files.ts'

const SCRIPT = 'export const lure = "Popper"'

let project: string
let server: Server
let url: string

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'built-files-'))
  const client = join(project, 'build/client')
  await mkdir(join(client, 'assets'), { recursive: true })
  await mkdir(join(project, 'assets/fonts'), { recursive: true })
  await Promise.all([
    writeFile(join(client, 'assets/main-1.js'), SCRIPT),
    writeFile(join(client, 'assets/main-1.js.br'), brotliCompressSync(SCRIPT)),
    writeFile(join(client, 'assets/main-1.js.gz'), gzipSync(SCRIPT)),
    writeFile(join(client, 'assets/removed-1.js'), SCRIPT),
    writeFile(join(client, 'favicon.ico'), 'icon'),
    writeFile(join(project, 'assets/fonts/text.woff2'), 'font'),
    writeFile(join(project, 'assets/fonts/text.license.txt'), 'license'),
    writeFile(join(project, 'shop.env'), 'SECRET=1'),
  ])
  const sendFile = serveBuiltFiles(project)
  server = createServer((request, response) => {
    if (!sendFile(request, response)) response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  url = typeof address === 'object' ? `http://127.0.0.1:${address?.port}` : ''
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await rm(project, { recursive: true })
})

const accepting = (encoding: string) => ({ headers: { 'Accept-Encoding': encoding } })

it.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['identity', null],
  ['zstd', null],
])('a browser that accepts “%s” gets a script in the encoding %s', async (accepted, encoding) => {
  const response = await fetch(`${url}/assets/main-1.js?v=2`, accepting(accepted))

  expect(await response.text()).toBe(SCRIPT)
  expect(response.headers.get('content-encoding')).toBe(encoding)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    vary: 'Accept-Encoding',
  })
})

it('a file without a hash in its name is kept for an hour, then answered with 304 while unchanged', async () => {
  const first = await fetch(`${url}/favicon.ico`, accepting('br'))
  const eTag = first.headers.get('etag') ?? ''
  const again = await fetch(`${url}/favicon.ico`, { headers: { 'If-None-Match': eTag } })

  expect(await first.text()).toBe('icon')
  expect(first.headers.get('cache-control')).toBe('public, max-age=3600')
  expect(first.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
  expect([again.status, await again.text()]).toEqual([304, ''])
})

it('HEAD gets a file’s headers without the file', async () => {
  const response = await fetch(`${url}/assets/main-1.js`, { method: 'HEAD', ...accepting('identity') })

  expect(response.headers.get('content-length')).toBe(String(SCRIPT.length))
  expect(await response.text()).toBe('')
})

it('the fonts have stable addresses', async () => {
  const response = await fetch(`${url}/fonts/text.woff2`)

  expect(await response.text()).toBe('font')
  expect(response.headers.get('content-type')).toBe('font/woff2')
})

it.each(['/assets/none.js', '/assets/..%2f..%2f..%2fshop.env', '/fonts/text.license.txt', '/assets', '/'])(
  'nothing is served at %s',
  async (path) => {
    expect((await fetch(url + path)).status).toBe(404)
  },
)

it('a form sent to a file’s address gets no file', async () => {
  expect((await fetch(`${url}/favicon.ico`, { method: 'POST' })).status).toBe(404)
})

it('a file that a new build has removed is not found, and the others are still served', async () => {
  await rm(join(project, 'build/client/assets/removed-1.js'))

  expect((await fetch(`${url}/assets/removed-1.js`)).status).toBe(404)
  expect((await fetch(`${url}/assets/main-1.js`)).status).toBe(200)
})
