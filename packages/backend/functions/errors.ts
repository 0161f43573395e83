import { retryAfter, REFUSALS, type Unavailable } from '#backend/database/unavailable.ts'

/** The gateway's own errors, in the hosted product's format `{ code, message }`. */
const GATEWAY_ERRORS = {
  UNAUTHORIZED_INVALID_JWT: { status: 401, message: 'Invalid JWT' },
  NOT_FOUND: { status: 404, message: 'Requested function was not found' },
  WORKER_ERROR: { status: 500, message: 'Function exited due to an error (please check logs)' },
  BODY_TOO_LARGE: { status: 413, message: 'The request body is larger than a function accepts' },
  IDLE_TIMEOUT: { status: 504, message: 'The function did not answer in time' },
} as const

export type GatewayError = keyof typeof GATEWAY_ERRORS

export function gatewayError(code: GatewayError): Response {
  const { status, message } = GATEWAY_ERRORS[code]
  const headers = new Headers()
  // Makes functions-js throw a FunctionsRelayError, which says that the function did not respond.
  if (code === 'IDLE_TIMEOUT' || code === 'UNAUTHORIZED_INVALID_JWT') headers.set('x-relay-error', 'true')
  return Response.json({ code, message }, { status, headers })
}

/** The 503 of a function whose database could not serve it. */
export function functionUnavailable(why: Unavailable): Response {
  const body = { code: 'SERVICE_UNAVAILABLE', message: REFUSALS[why].message }
  return Response.json(body, { status: 503, headers: retryAfter(why) })
}
