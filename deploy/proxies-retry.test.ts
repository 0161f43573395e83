import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@saltfreak/backend/testing'
import { expect, it, onTestFinished } from 'vitest'
import { adaptShipped } from '#test/installed-shop.ts'
import { isInstalled, type ProxyName, startBalancer, startProxy } from '#test/shop-proxy.ts'

const REQUESTS = 12

interface Machine {
  port: number
  /** The method and path of each request that has reached it. */
  received: string[]
  close(this: void): void
}

interface Behaviour {
  /** Every third request ends with its process. */
  isKilled?: boolean
  /** The only file that it has. */
  file?: string
}

/** A shop's port. */
async function openMachine({ isKilled = false, file }: Behaviour = {}): Promise<Machine> {
  const received: string[] = []
  const server = createServer((request, response) => {
    // Caddy asks so before it sends an order.
    if (request.url === '/healthz') return void response.end()
    received.push(`${request.method} ${request.url}`)
    if (isKilled && received.length % 3 === 1) return void request.socket.destroy()
    const has = !request.url?.startsWith('/assets/') || request.url === file
    response.writeHead(has ? 200 : 404).end('answer')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => void server.close()
  onTestFinished(close)
  const address = server.address()
  if (!address || typeof address === 'string') throw new Error('no port')
  return { port: address.port, received, close }
}

async function openProxy(name: ProxyName, ports: [number, number]): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'proxy-'))
  const place = { home, dataDir: join(home, 'data'), ports }
  const shop = { home, adapted: (file: string) => adaptShipped(file, place) }
  const { port, close } = await startProxy(name, shop, await freePort())
  onTestFinished(() => close().then(() => rm(home, { recursive: true })))
  return `http://localhost:${port}`
}

async function openBalancer(machines: number[][]): Promise<string> {
  const { port, close } = await startBalancer(machines, await freePort())
  onTestFinished(close)
  return `http://localhost:${port}`
}

async function statusesOf(url: string, init?: RequestInit): Promise<number[]> {
  const statuses: number[] = []
  for (let request = 0; request < REQUESTS; request += 1) {
    // oxlint-disable no-await-in-loop -- one request after the other
    const { status, body } = await fetch(`${url}?${request}`, init)
    await body?.cancel()
    statuses.push(status)
    // oxlint-enable no-await-in-loop
  }
  return statuses
}

const allOf = (status: number) => Array.from({ length: REQUESTS }, () => status)

it.for(['nginx', 'caddy'] as const)(
  '%s asks again for a page whose process was killed, and never sends an order twice',
  async (name, test) => {
    if (!isInstalled(name) && process.env.TEST_RUN !== 'long') test.skip(`${name} is not installed`)
    const { port, received } = await openMachine({ isKilled: true })
    const url = await openProxy(name, [port, await freePort()])

    expect(await statusesOf(`${url}/products`)).toEqual(allOf(200))
    received.length = 0
    const statuses = await statusesOf(`${url}/rest/v1/rpc/place_order`, { method: 'POST', body: '{}' })

    expect(statuses.filter((status) => status === 502)).toHaveLength(REQUESTS / 3)
    expect(new Set(received).size).toBe(received.length)
  },
)

it.for(['nginx', 'caddy'] as const)(
  '%s sends everything to the other port when nothing listens on the first one',
  async (name, test) => {
    if (!isInstalled(name) && process.env.TEST_RUN !== 'long') test.skip(`${name} is not installed`)
    const { port } = await openMachine()
    const url = await openProxy(name, [await freePort(), port])

    expect(await statusesOf(`${url}/products`)).toEqual(allOf(200))
    // Longer than a proxy may remember that the pages found the port closed.
    const end = Date.now() + 2000
    do expect(await statusesOf(`${url}/rest/v1/orders`, { method: 'POST', body: '{}' })).toEqual(allOf(200))
    while (Date.now() < end)
  },
)

it('nginx sends pages and orders to the other machines while one is off, without an error', async (test) => {
  if (!isInstalled('nginx') && process.env.TEST_RUN !== 'long') test.skip('nginx is not installed')
  const machines = [await openMachine(), await openMachine()]
  const url = await openBalancer([[], ...machines.map(({ port }) => [port])])

  expect(await statusesOf(`${url}/products`)).toEqual(allOf(200))
  expect(await statusesOf(`${url}/rest/v1/orders`, { method: 'POST', body: '{}' })).toEqual(allOf(200))
  for (const { received } of machines) expect(received.length).toBeGreaterThan(REQUESTS / 3)
})

it('nginx finds the running version of each machine on either of its two ports, also when an update has changed the port', async (test) => {
  if (!isInstalled('nginx') && process.env.TEST_RUN !== 'long') test.skip('nginx is not installed')
  const [before, after, other] = [await openMachine(), await openMachine(), await openMachine()]
  const url = await openBalancer([[before.port, after.port], [await freePort(), other.port], []])
  const order = () => statusesOf(`${url}/rest/v1/orders`, { method: 'POST', body: '{}' })

  expect(await order()).toEqual(allOf(200))
  for (const { received } of [before, after, other]) expect(received.length).toBeGreaterThan(0)

  before.close()
  after.received.length = 0
  expect(await order()).toEqual(allOf(200))
  expect(await statusesOf(`${url}/products`)).toEqual(allOf(200))
  for (const { received } of [after, other]) expect(received.length).toBeGreaterThan(REQUESTS / 3)
})

it('nginx finds the files of a page at the machine that has its version', async (test) => {
  if (!isInstalled('nginx') && process.env.TEST_RUN !== 'long') test.skip('nginx is not installed')
  const file = '/assets/page-of-the-new-version.js'
  const machines = [await openMachine(), await openMachine({ file }), await openMachine()]
  const url = await openBalancer(machines.map(({ port }) => [port]))

  const answers = await Promise.all(Array.from({ length: REQUESTS }, () => fetch(url + file)))

  expect(answers.map(({ status }) => status)).toEqual(allOf(200))
  expect((await fetch(`${url}/assets/unknown.js`)).status).toBe(404)
})
