import type { IncomingMessage, ServerResponse } from 'node:http'
import { Histogram, type Registry } from 'prom-client'

/** Route classes, so that the number of series is bounded whatever addresses strangers ask for. The first match counts. */
const CLASSES: [route: string, path: RegExp][] = [
  ['rest', /^\/rest\/v1\//],
  ['auth', /^\/auth\/v1\//],
  ['storage', /^\/storage\/v1\//],
  ['functions', /^\/functions\/v1\//],
  ['realtime', /^\/realtime\/v1\//],
  ['payments', /^\/payments\//],
  ['health', /^\/(?:healthz|readyz|metrics)$/],
  ['file', /^\/assets\/|\.[a-z0-9]{2,11}$/],
]

const BUCKETS_SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export type CountRequest = (request: IncomingMessage, response: ServerResponse) => void

/** Measures each response from its first byte received to its end. Their number is the histogram's count. */
export function measureRequests(register: Registry): CountRequest {
  const seconds = new Histogram({
    name: 'shop_request_duration_seconds',
    help: 'Duration of requests by route class and class of the status.',
    labelNames: ['route', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [register],
  })
  return (request, response) => {
    const start = performance.now()
    response.once('close', () => {
      const status = response.writableFinished ? `${Math.floor(response.statusCode / 100)}xx` : 'aborted'
      seconds.observe({ route: routeClassOf(request.url), status }, (performance.now() - start) / 1000)
    })
  }
}

function routeClassOf(url = '/'): string {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  return CLASSES.find(([, pattern]) => pattern.test(path))?.[0] ?? 'page'
}
