/** PostgreSQL's errors in PostgREST's form: SQLSTATE → HTTP status, as PostgREST documents it. */

import { z } from 'zod'
import { REFUSALS, retryAfter, type Unavailable, whyUnavailable } from '#backend/database/unavailable.ts'
import { parseJson } from '#backend/http/body.ts'
import { RestError } from './errors.ts'

interface DatabaseError extends Error {
  code: string
  detail?: string
  hint?: string
}

/** The first matching prefix applies. */
const STATUS_BY_PREFIX: readonly (readonly [string, number])[] = [
  ['09', 500],
  ['0L', 403],
  ['0P', 403],
  // PostgreSQL 18 reports `on delete restrict` with this code, older versions with the next.
  ['23001', 409],
  ['23503', 409],
  ['23505', 409],
  ['25', 500],
  ['28', 403],
  ['2D', 500],
  ['38', 500],
  ['39', 500],
  ['3B', 500],
  ['40', 500],
  ['54', 500],
  ['55', 500],
  ['57', 500],
  ['58', 500],
  ['F0', 500],
  ['HV', 500],
  ['P0001', 400],
  ['P0', 500],
  ['XX', 500],
  ['42883', 404],
  ['42P01', 404],
  ['42P17', 500],
]

/** Returns null for errors that do not come from the database. */
export function fromDatabaseError(
  error: unknown,
  { isAnonymous }: { isAnonymous: boolean },
): RestError | null {
  if (!(error instanceof Error)) return null
  const why = whyUnavailable(error)
  if (why) return unavailable(why, isDatabaseError(error) ? error.code : CONNECTION_ERROR[why])
  if (!isDatabaseError(error)) return null
  if (error.code === 'PGRST') return fromRaisedResponse(error)

  const body = {
    code: error.code,
    details: error.detail ?? null,
    hint: error.hint ?? null,
    message: error.message,
  }
  const status = statusOf(error, isAnonymous)
  return new RestError(status, body, status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {})
}

function isDatabaseError(error: Error): error is DatabaseError {
  return 'code' in error && typeof error.code === 'string' && 'severity' in error
}

function statusOf({ code, message }: DatabaseError, isAnonymous: boolean): number {
  if (code === '42501') return isAnonymous ? 401 : 403
  if (code === '21000') return message.endsWith('requires a WHERE clause') ? 400 : 500
  if (code === '22023') return /^role .* does not exist$/.test(message) ? 401 : 400
  if (code.startsWith('PT')) return statusNumber(Number(code.slice(2))) ?? 500
  return STATUS_BY_PREFIX.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 400
}

function statusNumber(value: unknown): number | null {
  return Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599 ? Number(value) : null
}

/** `raise sqlstate 'PGRST'` contains a whole response: the body as JSON in its message, status and headers in its detail. */
function fromRaisedResponse({ message, detail }: DatabaseError): RestError {
  const body = raisedBody.safeParse(message).data
  if (!body) {
    return unreadableRaise(
      `Invalid JSON value for MESSAGE: '${message}'`,
      "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.",
    )
  }
  const response = raisedResponse.safeParse(detail).data
  if (response) return new RestError(response.status, body, response.headers)
  return unreadableRaise(
    detail === undefined
      ? 'DETAIL is missing in the RAISE statement'
      : `Invalid JSON value for DETAIL: '${detail}'`,
    "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'.",
  )
}

const json = z.string().transform(parseJson)
const raisedBody = json.pipe(
  z.object({
    code: z.string(),
    message: z.string(),
    details: z.string().optional(),
    hint: z.string().optional(),
  }),
)
const raisedResponse = json.pipe(
  z.object({ status: z.int().min(200).max(599), headers: z.record(z.string(), z.string()) }),
)

function unreadableRaise(details: string, hint: string): RestError {
  const message = 'Could not parse JSON in the "RAISE SQLSTATE \'PGRST\'" error'
  return new RestError(500, { code: 'PGRST121', message, details, hint })
}

/** PostgREST's codes for errors that are not PostgreSQL's. */
const CONNECTION_ERROR: Record<Unavailable, string> = { lost: 'PGRST000', busy: 'PGRST003', full: 'PGRST000' }

function unavailable(why: Unavailable, code: string): RestError {
  return new RestError(503, { code, message: REFUSALS[why].message }, retryAfter(why))
}
