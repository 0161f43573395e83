import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/**
 * So many calls are worked on at once. The database takes twenty at a time and a call takes some milliseconds, so the last of
 * these waits about as long as a person takes to notice; a longer queue would only make everybody wait longer.
 */
const AT_ONCE = 100

/**
 * While the shop is full, a network address with fewer calls than this share of the room is still let in, up to twice the room:
 * otherwise one address could have everybody else refused, because its calls may wait for each other in the process.
 */
const SHARE_OF_NEWCOMERS = 1 / 4

const RETRY_AFTER_SECONDS = 2
const MESSAGE = 'Very many people are here at this moment. Please try again in a few seconds.'

/**
 * What is counted. Pages that are kept cost next to nothing, and those that are rendered take turns of their own; a page without its
 * scripts or pictures is worse than none; money is never turned away, and whoever asks whether we live needs to know.
 */
const CALLS = /^\/(?:rest|auth|functions)\/v1\//

interface Capacity {
  atOnce?: number
  /** The network that a call comes from; left out, all calls count alike. */
  networkOf?: (request: IncomingMessage) => string | null
}

/**
 * Refuses at once what the shop could only answer late. What it has taken it finishes, so an overload ends with the load and no
 * order is half placed.
 */
export function refuseOverload(
  answer: RequestListener,
  { atOnce = AT_ONCE, networkOf = () => null }: Capacity = {},
): RequestListener {
  const underWay = new Set<IncomingMessage>()

  function isFull(newcomer: IncomingMessage): boolean {
    if (underWay.size < atOnce) return false
    const received = [...underWay].filter(isReceived)
    if (received.length < atOnce) return false
    if (received.length >= 2 * atOnce) return true
    const network = networkOf(newcomer)
    const own = received.filter((request) => networkOf(request) === network)
    return own.length >= atOnce * SHARE_OF_NEWCOMERS
  }

  return (request, response) => {
    if (!CALLS.test(request.url ?? '')) return answer(request, response)
    if (isFull(request)) return void refuse(request, response)

    underWay.add(request)
    response.once('close', () => underWay.delete(request))
    answer(request, response)
  }
}

/** Whoever is still sending, over a slow line, costs nothing yet. */
function isReceived({ complete }: IncomingMessage): boolean {
  return complete
}

interface Refusal {
  status: 503
  headers: Record<string, string>
  body: string
}

const FOR_PEOPLE = refusalOf('text/plain; charset=utf-8', MESSAGE)
const FOR_PROGRAMS = refusalOf('application/json', JSON.stringify({ code: 'overloaded', message: MESSAGE }))

function refusalOf(type: string, body: string): Refusal {
  return {
    status: 503,
    headers: {
      'retry-after': String(RETRY_AFTER_SECONDS),
      'content-type': type,
      // Known beforehand, all of it leaves in one piece; else the socket is given three, and asks the kernel for more.
      'content-length': String(Buffer.byteLength(body)),
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    },
    body,
  }
}

/** In words for somebody who looks at a page, in the services' form for a program. */
export function refusalFor(accept: string | null | undefined): Refusal {
  return accept?.includes('text/html') ? FOR_PEOPLE : FOR_PROGRAMS
}

/** Sends it past everything else: a refusal must cost next to nothing. */
export function refuse(request: IncomingMessage, response: ServerResponse): true {
  const { status, headers, body } = refusalFor(request.headers.accept)
  response.writeHead(status, headers)
  response.end(body)
  // What is still being sent is not kept.
  request.resume()
  return true
}
