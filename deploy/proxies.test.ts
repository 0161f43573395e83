import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { freePort } from '@saltfreak/backend/testing'
import { type InstalledShop, installShop } from '#test/installed-shop.ts'
import { isInstalled, type ShopProxy, startProxy } from '#test/shop-proxy.ts'

const UPLOAD_BYTES = 5_000_000

let installed: InstalledShop
let servers: Server[] = []
let proxy: ShopProxy
afterEach(async () => {
  await proxy?.close()
  for (const server of servers) server.closeAllConnections()
  for (const server of servers) server.close()
  servers = []
  await installed?.close()
})

interface Received {
  port: number
  bytes: number
  hash: string
  headers: IncomingHttpHeaders
}

const hashOf = (content: Uint8Array) => createHash('sha256').update(content).digest('hex')

/** In place of a version of the shop: says what it has received, and names the request as the shop does. */
async function openVersion(port: number): Promise<void> {
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const received: Received = { port, bytes: body.length, hash: hashOf(body), headers: request.headers }
    response.setHeader('X-Request-Id', String(request.headers['x-request-id']))
    response.setHeader('Cache-Control', 'no-store')
    response.end(JSON.stringify(received))
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(data, { binary: false })))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
}

async function openBehind(name: 'nginx' | 'caddy'): Promise<string> {
  installed = await installShop()
  for (const port of installed.ports) {
    const folder = join(installed.home, String(port), 'build/client/assets')
    // oxlint-disable no-await-in-loop -- two versions
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, `only-in-${installed.ports.indexOf(port)}.js`), 'export {}')
    await openVersion(port)
    // oxlint-enable no-await-in-loop
  }
  proxy = await startProxy(name, installed, await freePort())
  return `http://localhost:${proxy.port}`
}

describe.each(['nginx', 'caddy'] as const)('%s, as configured in deploy/,', (name) => {
  it('passes uploads, sockets and the client’s address, sends files itself, names every request, and switches at once', async (test) => {
    if (!isInstalled(name)) test.skip(`${name} is not installed: apt-get install ${name}`)
    const url = await openBehind(name)
    const receive = async (path: string, init: RequestInit = {}): Promise<Received> =>
      (await fetch(url + path, init)).json()

    const photo = randomBytes(UPLOAD_BYTES)
    const headers = { 'X-Forwarded-For': '192.0.2.1' }
    const upload = await receive('/storage/v1/object/catalogue/a.jpg', {
      method: 'POST',
      body: photo,
      headers,
    })
    expect([upload.bytes, upload.hash]).toEqual([UPLOAD_BYTES, hashOf(photo)])
    expect(upload.headers['x-forwarded-for']).toMatch(/(^|, )(127\.0\.0\.1|::1)$/)
    expect(upload.headers['x-forwarded-proto']).toBe('http')

    const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime/v1/websocket`)
    await once(socket, 'open')
    socket.send('a heartbeat')
    expect((await once(socket, 'message'))[0].data).toBe('a heartbeat')
    socket.close()

    for (const file of ['/assets/only-in-0.js', '/assets/only-in-1.js']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const response = await fetch(url + file)
      expect([response.status, response.headers.get('cache-control')]).toEqual([
        200,
        'public, max-age=31536000, immutable',
      ])
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin')
    }
    const ids = await Promise.all(
      ['/', '/assets/only-in-0.js', '/assets/none.js'].map(async (path) => {
        const response = await fetch(url + path)
        return response.headers.get('x-request-id')
      }),
    )
    expect(ids).toEqual(ids.map(() => expect.stringMatching(/^[\w-]{32,36}$/)))
    expect(new Set(ids).size).toBe(ids.length)

    const [first, second] = installed.ports
    expect((await receive('/')).port).toBe(first)
    await writeFile(join(installed.home, 'switch', String(second)), '')
    expect((await receive('/')).port).toBe(second)
  })
})
