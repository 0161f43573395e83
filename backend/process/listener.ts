import { ServerResponse, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'

import { toNodeRequest } from '#backend/http/node-request.ts'
import { textOfResponse } from '#backend/http/text-response.ts'

/** The lighter Request and Response that the adapter would put in the place of Node's lack methods, `bytes()` for one. */
const LISTENER = { overrideGlobalObjects: false }

type Asked = Parameters<Parameters<typeof getRequestListener>[0]>
type Answer = (...asked: Asked) => Response | Promise<Response>

/** What a Node web server calls for each request, over a function from Request to Response. No Request can be a TRACE. */
export function listenerFor(answer: Answer): RequestListener {
  return getRequestListener(async (request, bindings) => {
    const { incoming, outgoing } = bindings
    if (incoming.method === 'TRACE') return new Response(null, { status: 405 })
    const isMeasured = isReading(request) || isLengthKnown(incoming.headers)
    const response = await answer(isMeasured ? request : toNodeRequest(request), bindings)
    const text = textOfResponse(response)
    if (text === null || !(outgoing instanceof ServerResponse)) return response
    // Flat: Node takes a list of pairs only while nothing in front of us (Vite, for one) has set a header.
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
