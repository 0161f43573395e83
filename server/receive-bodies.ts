import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { fileTransferOf, ReceivedBytes } from '@saltfreak/backend'
import { refuse } from './overload.ts'

const MEBIBYTE = 1024 * 1024

/** Of a process. PostgreSQL's driver copies a body while its statement runs. */
const MAX_BYTES = 32 * MEBIBYTE
/** On top, for orders and payment notices. */
const RESERVED_BYTES = 16 * MEBIBYTE
/** The largest limit of a service. The services refuse a larger announced body without reading it. */
const MAX_BODY_BYTES = MEBIBYTE
/** An order and a notice are smaller: a larger body at their address may not use what is reserved for them. */
const MAX_RESERVED_BODY_BYTES = 64 * 1024
/** One network could otherwise cause refusals for all others, because its calls may wait for each other in the process. */
const FAIR_SHARE = 1 / 4

const ORDERS_AND_NOTICES = /^\/(?:rest\/v1\/rpc\/place_order|payments\/payfast\/notice)(?:\?|$)/

interface BodyLimits {
  /** Returns the network of a request. */
  networkOf: (request: IncomingMessage) => string | null
  maxBytes?: number
  reservedBytes?: number
  maxBodyBytes?: number
}

interface Body {
  request: IncomingMessage
  response: ServerResponse
  network: string | null
  isReserved: boolean
  received: ReceivedBytes
}

/**
 * Receives each body before `handle` is called, and bounds the bytes of all bodies that arrive or whose request is being served: hundreds
 * of large ones would otherwise use up the memory. Refuses with 503 beyond that, so nothing of a refused request is done.
 */
export function receiveBodies(handle: RequestListener, limits: BodyLimits): RequestListener {
  const { networkOf, maxBytes = MAX_BYTES, reservedBytes = RESERVED_BYTES } = limits
  const { maxBodyBytes = MAX_BODY_BYTES } = limits
  const held = new Set<Body>()
  const arriving = new Set<Body>()
  let heldBytes = 0

  function receive(body: Body): void {
    const { request, response } = body
    held.add(body)
    arriving.add(body)
    response.once('close', () => forget(body))
    request.on('data', (chunk: Buffer) => {
      if (!arriving.has(body)) return
      body.received.add(chunk)
      heldBytes += chunk.byteLength
      if (body.received.length > maxBodyBytes) refuseTooLarge(body)
      else makeRoom(body)
    })
    request.once('end', () => {
      if (!arriving.delete(body)) return
      // The adapter's name for a body that is there.
      Object.assign(request, { rawBody: body.received.content })
      handle(request, response)
    })
    // The sender disconnected; `close` of the response follows.
    request.on('error', () => undefined)
  }

  function forget(body: Body): void {
    if (held.delete(body)) heldBytes -= body.received.length
    arriving.delete(body)
    // The request of a refused body lasts as long as its sender goes on sending.
    body.received = new ReceivedBytes()
  }

  /** Refuses bodies that are still arriving until all that are held fit: the largest first, orders and notices last. */
  function makeRoom(newest: Body): void {
    if (isOverShare(newest)) refuseBusy(newest)
    if (heldBytes > maxBytes) {
      for (const victim of largestFirst([...arriving].filter(({ isReserved }) => !isReserved))) {
        refuseBusy(victim)
        if (heldBytes <= maxBytes) break
      }
    }
    if (heldBytes > maxBytes + reservedBytes) refuseBusy(newest)
  }

  function isOverShare({ network, isReserved }: Body): boolean {
    const share = maxBytes * FAIR_SHARE
    if (isReserved || network === null || heldBytes <= share) return false
    let own = 0
    for (const other of held) if (other.network === network) own += other.received.length
    return own > share
  }

  function refuseBusy(body: Body): void {
    forget(body)
    refuse(body.request, body.response)
  }

  function refuseTooLarge(body: Body): void {
    forget(body)
    body.response.writeHead(413, { 'content-type': 'application/json', connection: 'close' })
    body.response.end(JSON.stringify({ code: 'too_large', message: 'The request body is too large.' }))
  }

  return (request, response) => {
    if (!mustReceive(request, maxBodyBytes)) return handle(request, response)
    const isReserved = ORDERS_AND_NOTICES.test(request.url ?? '') && isSmall(request)
    receive({ request, response, network: networkOf(request), isReserved, received: new ReceivedBytes() })
  }
}

function mustReceive({ method, url, headers }: IncomingMessage, maxBodyBytes: number): boolean {
  const length = Number(headers['content-length'] ?? 0)
  const hasBody = length > 0 || headers['transfer-encoding'] !== undefined
  // Files go to the disk piece by piece, and wait in the connection.
  return hasBody && length <= maxBodyBytes && fileTransferOf(method, url) !== 'upload'
}

function isSmall({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? Infinity) <= MAX_RESERVED_BODY_BYTES
}

function largestFirst(bodies: Body[]): Body[] {
  return bodies.toSorted((a, b) => b.received.length - a.received.length)
}
