import { ServerResponse, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'

import { toNodeRequest } from '#backend/http/node-request.ts'
import { textOfResponse } from '#backend/http/text-response.ts'

/** The adapter's lightweight Request and Response lack methods such as `bytes()`. */
const LISTENER = { overrideGlobalObjects: false }

type ListenerArguments = Parameters<Parameters<typeof getRequestListener>[0]>
type Answer = (...asked: ListenerArguments) => Response | Promise<Response>

/** Adapts a function from Request to Response to Node's web server. Answers TRACE with 405: `Request` does not allow it. */
export function listenerFor(answer: Answer): RequestListener {
  return getRequestListener(async (request, bindings) => {
    const { incoming, outgoing } = bindings
    if (incoming.method === 'TRACE') return new Response(null, { status: 405 })
    const isMeasured = isReading(request) || isLengthKnown(incoming.headers)
    const response = await answer(isMeasured ? request : toNodeRequest(request), bindings)
    const text = textOfResponse(response)
    if (text === null || !(outgoing instanceof ServerResponse)) return response
    // A flat list: Node ignores a list of pairs after other middleware, such as Vite, has set a header.
    outgoing.writeHead(response.status, [...response.headers].flat())
    outgoing.end(text)
    return RESPONSE_ALREADY_SENT
  }, LISTENER)
}

function isReading({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

function isLengthKnown(headers: IncomingHttpHeaders): boolean {
  return headers['content-length'] !== undefined && headers['transfer-encoding'] === undefined
}
