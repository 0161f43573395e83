import { once } from 'node:events'
import {
  createServer,
  request as send,
  type ClientRequest,
  type IncomingMessage,
  type Server,
} from 'node:http'
import { connect } from 'node:net'
import { text as readAll } from 'node:stream/consumers'
import { listenerFor } from '@saltfreak/backend'
import { usedMemory } from '@saltfreak/backend/testing'
import { afterEach, expect, it } from 'vitest'
import { receiveBodies } from './receive-bodies.ts'

const CALL = '/rest/v1/contact_submissions'
const ORDER = '/rest/v1/rpc/place_order'
const NOTICE = '/payments/payfast/notice'
const UPLOAD = '/storage/v1/object/gallery/photo.jpg'
const KIBIBYTE = 1024

const networkOf = ({ headers }: IncomingMessage) => String(headers.network)

let server: Server
let port: number
/** The bodies that the shop is working on, until `finish`. */
let held: { bytes: number; finish: () => void }[]
const heldBytes = () => held.reduce((sum, { bytes }) => sum + bytes, 0)
const finishAll = () => held.forEach(({ finish }) => finish())

/** Opens a server that holds 64 KiB of bodies, and 32 KiB more for orders and notices. Each client says to which network it belongs. */
async function open(others: { maxBytes?: number; maxBodyBytes?: number } = {}): Promise<void> {
  held = []
  const shop = listenerFor(async (request) => {
    const { byteLength } = await request.arrayBuffer()
    await new Promise<void>((finish) => held.push({ bytes: byteLength, finish }))
    return new Response(`read ${byteLength}`)
  })
  const limits = {
    maxBytes: 64 * KIBIBYTE,
    reservedBytes: 32 * KIBIBYTE,
    maxBodyBytes: 40 * KIBIBYTE,
    ...others,
  }
  server = createServer(receiveBodies(shop, { ...limits, networkOf })).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  port = typeof address === 'object' && address ? address.port : 0
}

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

let networks = 0

/** Begins a request of another network, or of the given one, whose sender has not sent its body yet. */
function begin(path: string, headers: Record<string, string | number>): ClientRequest {
  networks += 1
  const sending = send({
    port,
    path,
    method: 'POST',
    headers: { network: networks, ...headers },
    agent: false,
  })
  // A refused sender may lose its connection.
  sending.on('error', () => undefined)
  sending.flushHeaders()
  return sending
}

interface Answer {
  status: number
  headers: NodeJS.Dict<string | string[]>
  text: string
}

async function answerOf(sending: ClientRequest): Promise<Answer> {
  const [response] = await once(sending, 'response')
  let text = ''
  for await (const part of response) text += String(part)
  return { status: response.statusCode, headers: response.headers, text }
}

function post(path: string, bytes: number, headers: Record<string, string> = {}): Promise<Answer> {
  const sending = begin(path, { 'content-length': bytes, ...headers })
  const answer = answerOf(sending)
  sending.end(Buffer.alloc(bytes))
  return answer
}

async function untilHeld(count: number): Promise<void> {
  await expect.poll(() => held.length).toBe(count)
}

/** Fills the memory with complete bodies of several networks. */
async function fill(): Promise<Promise<Answer>[]> {
  const answers = Array.from({ length: 4 }, () => post(CALL, 16 * KIBIBYTE))
  await untilHeld(4)
  return answers
}

it('holds no more bytes of bodies than the limit, and refuses other calls with 503 until there is room', async () => {
  await open()
  const calls = Array.from({ length: 40 }, () => post(CALL, 10 * KIBIBYTE))
  await expect.poll(heldBytes).toBe(60 * KIBIBYTE)

  const { status, headers, text } = await post(CALL, 10 * KIBIBYTE)

  expect([status, headers['retry-after'], headers['x-refused']]).toEqual([503, '2', 'overload'])
  expect(JSON.parse(text)).toMatchObject({ code: 'overloaded' })
  expect(heldBytes()).toBe(60 * KIBIBYTE)
  finishAll()
  const statuses = (await Promise.all(calls)).map((answer) => answer.status)
  expect(statuses.filter((each) => each === 200)).toHaveLength(6)
  expect(statuses.filter((each) => each === 503)).toHaveLength(34)
  const later = post(CALL, 10 * KIBIBYTE)
  await untilHeld(7)
  held.at(-1)?.finish()
  expect((await later).text).toBe(`read ${10 * KIBIBYTE}`)
})

it('refuses the largest body that is still arriving before a small one', async () => {
  await open()
  const slow = Array.from({ length: 4 }, () => begin(CALL, { 'content-length': 20 * KIBIBYTE }))
  const refused = Promise.race(slow.map(answerOf))
  for (const sending of slow.slice(1)) sending.write(Buffer.alloc(15 * KIBIBYTE))
  slow[0]?.write(Buffer.alloc(16 * KIBIBYTE))

  const small = Promise.all([post(CALL, 4 * KIBIBYTE), post(CALL, 4 * KIBIBYTE)])

  expect((await refused).status).toBe(503)
  await untilHeld(2)
  finishAll()
  expect((await small).map(({ status }) => status)).toEqual([200, 200])
  for (const sending of slow) sending.destroy()
})

it('takes orders and payment notices when it refuses all other calls, and refuses them last', async () => {
  await open()
  const filling = await fill()
  expect((await post(CALL, KIBIBYTE)).status).toBe(503)

  const orders = [post(ORDER, 16 * KIBIBYTE), post(NOTICE, 15 * KIBIBYTE)]
  await untilHeld(6)

  expect((await post(ORDER, 4 * KIBIBYTE)).status).toBe(503)
  expect((await post(NOTICE, 4 * KIBIBYTE)).status).toBe(503)
  finishAll()
  expect((await Promise.all([...filling, ...orders])).map(({ status }) => status)).toEqual(
    Array.from({ length: 6 }, () => 200),
  )
})

it('leaves three quarters of the memory to other networks', async () => {
  await open()
  const network = { network: 'crowd' }
  const crowd = [post(CALL, 8 * KIBIBYTE, network), post(CALL, 8 * KIBIBYTE, network)]
  await untilHeld(2)

  expect((await post(CALL, KIBIBYTE, network)).status).toBe(503)
  const other = post(CALL, 16 * KIBIBYTE)

  await untilHeld(3)
  finishAll()
  expect((await Promise.all([...crowd, other])).map(({ status }) => status)).toEqual([200, 200, 200])
})

it.each(['object/list/gallery', 'object/sign/gallery', 'object/move', 'bucket'])(
  'holds the body of the storage call %s like others',
  async (call) => {
    await open()
    const filling = await fill()

    const answer = post(`/storage/v1/${call}`, KIBIBYTE)
    await Promise.race([answer, untilHeld(5).catch(() => answer)])

    expect(held).toHaveLength(4)
    expect((await answer).status).toBe(503)
    finishAll()
    await Promise.all(filling)
  },
)

it('frees the memory of senders who disconnect', async () => {
  await open()
  const senders = Array.from({ length: 4 }, () => begin(CALL, { 'content-length': 16 * KIBIBYTE }))
  for (const sending of senders) sending.end(Buffer.alloc(16 * KIBIBYTE))
  await untilHeld(4)
  expect((await post(CALL, KIBIBYTE)).status).toBe(503)

  for (const sending of senders) sending.destroy()

  const takes = async () => {
    const before = held.length
    const answer = post(CALL, KIBIBYTE).then(({ status }) => status)
    const isHeld = expect.poll(() => held.length).toBeGreaterThan(before)
    return Promise.race([answer, isHeld.then(() => 'held')])
  }
  await expect.poll(takes).toBe('held')
})

it('refuses a body without a length that is larger than any the shop reads, and passes on one that is not', async () => {
  await open()
  const large = begin(CALL, { 'transfer-encoding': 'chunked' })
  const answer = answerOf(large)
  large.end(Buffer.alloc(41 * KIBIBYTE))
  expect((await answer).status).toBe(413)

  const small = begin(CALL, { 'transfer-encoding': 'chunked' })
  const read = answerOf(small)
  small.end('{}')
  await untilHeld(1)
  held[0]?.finish()
  expect((await read).text).toBe('read 2')
})

it('takes less than twenty bytes of memory for each byte of a body that arrives in chunks of one byte', async () => {
  const bytes = 256 * KIBIBYTE
  await open({ maxBytes: 4 * bytes, maxBodyBytes: bytes })
  const sender = connect(port, '127.0.0.1').setEncoding('utf8')
  const [receiver] = await once(server, 'connection')
  sender.write(`POST ${CALL} HTTP/1.1\r\nhost: a\r\nnetwork: a\r\ntransfer-encoding: chunked\r\n\r\n`)
  const before = usedMemory()

  sender.write('1\r\nx\r\n'.repeat(bytes))
  await expect.poll(() => receiver.bytesRead).toBe(sender.bytesWritten)

  expect((usedMemory() - before) / bytes).toBeLessThan(20)
  sender.write('0\r\n\r\n')
  await untilHeld(1)
  finishAll()
  expect(String(await once(sender, 'data'))).toContain('200 OK')
  expect(heldBytes()).toBe(bytes)
  sender.destroy()
})

it('passes on uploads, which go to the disk, and announced bodies that are too large, without reading them', async () => {
  await open()
  const filling = await fill()
  const upload = post(UPLOAD, 100 * KIBIBYTE)
  await untilHeld(5)
  held.at(-1)?.finish()
  expect((await upload).text).toBe(`read ${100 * KIBIBYTE}`)

  const announced = post(CALL, 50 * KIBIBYTE)
  await untilHeld(6)
  held.at(-1)?.finish()
  expect((await announced).status).toBe(200)
  finishAll()
  await Promise.all(filling)
})

it('hands bodies on as they were sent, whichever way the shop reads them', async () => {
  const form = new FormData()
  form.set('file', new File(['popper'], 'lure.txt'))
  const readings: Record<string, (request: Request) => Promise<unknown>> = {
    '/text': (request) => request.text(),
    '/json': (request) => request.json(),
    '/form': async (request) => (await request.formData()).get('size'),
    '/file': async (request) => {
      const file = (await request.formData()).get('file')
      return file instanceof File ? file.text() : null
    },
    '/stream': async ({ body }) => (body ? readAll(body) : null),
    '/limited': async (request) => (await new Request(request.url, streamOf(request)).text()).length,
  }
  const shop = listenerFor(async (request) =>
    Response.json(await readings[new URL(request.url).pathname]?.(request)),
  )
  server = createServer(receiveBodies(shop, { networkOf: () => null })).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const sent = async (path: string, body: BodyInit) =>
    (await fetch(origin + path, { method: 'POST', body })).json()

  expect(await sent('/text', 'tigerfish 🎣')).toBe('tigerfish 🎣')
  expect(await sent('/json', '{"lure":"popper"}')).toEqual({ lure: 'popper' })
  expect(await sent('/form', new URLSearchParams({ size: '40 g' }))).toBe('40 g')
  expect(await sent('/file', form)).toBe('popper')
  expect(await sent('/stream', 'a wave')).toBe('a wave')
  expect(await sent('/limited', 'x'.repeat(200_000))).toBe(200_000)
})

/** As limits of bodies do, which make a new Request of the stream. */
function streamOf({ method, headers, body }: Request): RequestInit & { duplex: 'half' } {
  return { method, headers, body, duplex: 'half' }
}
