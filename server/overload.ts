import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { fileTransferOf } from '@saltfreak/backend'
import { busyPage } from './busy-page.ts'
import { CHECKOUT_PATHS } from './checkout-queue.ts'
import { spread } from './spread.ts'

/**
 * A call takes one or two milliseconds, so the last of these waits about a second. A shorter queue would be unfair: those who are
 * refused come back seconds later, behind those who came after them. A longer one would only make everyone wait longer.
 */
const MAX_CONCURRENT = 600

/**
 * At the limit, a network with fewer calls than this share of it is still let in, up to twice the limit: otherwise one
 * network could cause refusals for all others, because its calls may wait for each other in the process.
 */
const FAIR_SHARE = 1 / 4

const RETRY_AFTER_SECONDS = 2
const MESSAGE = 'The shop is very busy right now. Please try again in a few seconds.'

/**
 * The calls that count. Cached pages cost almost nothing and others have their own queue; a page without its scripts or
 * pictures is worse than none, and a refused photo is sent anew; payments and health checks are never refused.
 */
const CALLS = /^\/(?:rest|auth|functions)\/v1\//
/** The router decodes paths: an encoded name of a service must not evade the limit. */
const ENCODED_SERVICE = /^\/(?:[^/?]+\/)?[^/?]*%/
const FILE_SERVICE = '/storage/v1/'

interface LoadLimit {
  maxConcurrent?: number
  /** Returns the network of a call; by default all calls belong to the same one. */
  networkOf?: (request: IncomingMessage) => string | null
}

/**
 * Sheds load: refuses calls at once when too many are running. Accepted calls always finish, so no order is half placed.
 */
export function shedLoad(
  handle: RequestListener,
  { maxConcurrent = MAX_CONCURRENT, networkOf = () => null }: LoadLimit = {},
): RequestListener {
  const running = new Set<IncomingMessage>()
  // Hundreds arrive at once when a product goes on sale. Pages are sent between them.
  const soon = spread()

  function isFull(request: IncomingMessage): boolean {
    if (running.size < maxConcurrent) return false
    const received = [...running].filter(isReceived)
    if (received.length < maxConcurrent) return false
    if (received.length >= 2 * maxConcurrent) return true
    const network = networkOf(request)
    const own = received.filter((other) => networkOf(other) === network)
    return own.length >= maxConcurrent * FAIR_SHARE
  }

  return (request, response) => {
    if (!isCall(request)) return handle(request, response)
    if (isFull(request)) return void refuse(request, response)

    running.add(request)
    response.once('close', () => running.delete(request))
    if (isCheckout(request)) soon(() => handle(request, response))
    else handle(request, response)
  }
}

function isCall({ method, url = '' }: IncomingMessage): boolean {
  if (CALLS.test(url) || ENCODED_SERVICE.test(url)) return true
  return url.startsWith(FILE_SERVICE) && fileTransferOf(method, url) === null
}

function isCheckout({ method, url = '' }: IncomingMessage): boolean {
  return method === 'POST' && CHECKOUT_PATHS.some((path) => url.startsWith(path))
}

/** A request that is still arriving over a slow connection costs nothing yet. */
function isReceived({ complete }: IncomingMessage): boolean {
  return complete
}

interface Refusal {
  status: 503
  headers: Record<string, string>
  body: string
}

const FOR_PEOPLE = refusalOf(busyPage)
const FOR_PROGRAMS = refusalOf({
  headers: { 'Retry-After': String(RETRY_AFTER_SECONDS), 'Content-Type': 'application/json' },
  body: JSON.stringify({ code: 'overloaded', message: MESSAGE }),
})

function refusalOf({ headers, body }: Omit<Refusal, 'status'>): Refusal {
  return {
    status: 503,
    headers: {
      ...headers,
      // Nothing was done: the pages' own fetch repeats the request (`app/data/retry-refused.ts`).
      'x-refused': 'overload',
      // With a known length, Node sends one packet instead of three chunks.
      'content-length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      'access-control-allow-origin': '*',
    },
    body,
  }
}

/** Returns a page for a browser that loads one, JSON for other clients. */
export function refusalFor(accept: string | null | undefined): Refusal {
  return accept?.includes('text/html') ? FOR_PEOPLE : FOR_PROGRAMS
}

/** Bypasses all middleware: a refusal must cost almost nothing. */
export function refuse(request: IncomingMessage, response: ServerResponse): true {
  const { status, headers, body } = refusalFor(request.headers.accept)
  response.writeHead(status, headers)
  response.end(body)
  // Discards the rest of the request body.
  request.resume()
  return true
}
