import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/**
 * So many requests are worked on at once. The database takes twenty at a time and a call takes some milliseconds, so the last of
 * these waits about as long as a person takes to notice; a longer queue would only make everybody wait longer.
 */
const AT_ONCE = 100

const RETRY_AFTER_SECONDS = 2

/** A page without its scripts or pictures is worse than none, money is never turned away, and whoever asks whether we live needs to know. */
const NEVER_REFUSED = /^\/(?:assets|storage|payments|simulator|healthz|readyz)(?:[/?]|$)/

/**
 * Refuses at once what the shop could only answer late. What it has taken it finishes, so an overload ends with the load and no
 * order is half placed.
 */
export function refuseOverload(answer: RequestListener, atOnce = AT_ONCE): RequestListener {
  const underWay = new Set<IncomingMessage>()

  return (request, response) => {
    if (NEVER_REFUSED.test(request.url ?? '')) return answer(request, response)
    if (underWay.size >= atOnce && countReceived(underWay) >= atOnce) return refuse(request, response)

    underWay.add(request)
    response.once('close', () => underWay.delete(request))
    answer(request, response)
  }
}

/** Whoever is still sending, over a slow line, costs nothing yet. */
function countReceived(requests: Set<IncomingMessage>): number {
  return [...requests].filter(({ complete }) => complete).length
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  const isForPeople = request.headers.accept?.includes('text/html')
  const message = 'Very many people are here at this moment. Please try again in a few seconds.'
  response.writeHead(503, {
    'Retry-After': RETRY_AFTER_SECONDS,
    'Content-Type': isForPeople ? 'text/plain; charset=utf-8' : 'application/json',
    'Cache-Control': 'no-store',
    'Access-Control-Allow-Origin': '*',
  })
  response.end(isForPeople ? message : JSON.stringify({ code: 'overloaded', message }))
  // What is still being sent is not kept.
  request.resume()
}
