import type { RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'

/** The lighter Request and Response that the adapter would put in the place of Node's lack methods, `bytes()` for one. */
const LISTENER = { overrideGlobalObjects: false }

type Answer = Parameters<typeof getRequestListener>[0]

/** What a Node web server calls for each request, over a function from Request to Response. */
export function listenerFor(answer: Answer): RequestListener {
  return getRequestListener((request, bindings) => answer(genuine(request), bindings), LISTENER)
}

/**
 * The adapter's Request only looks like one, and Node's constructor takes no look-alike: whoever reads a body and hands it
 * on in a new Request, as the limits for bodies without a length do, would fail.
 */
function genuine(request: Request): Request {
  const { url, method, headers, signal, body } = request
  // Node wants `duplex` beside a stream; the DOM's types do not know it.
  const sent = { method, headers, signal, body, duplex: 'half' }
  return body ? new Request(url, sent) : request
}
