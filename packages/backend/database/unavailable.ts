import { isAbortedRequest } from '#backend/http/aborted-request.ts'

/** `lost`: the database does not answer. `busy`: it has no connection or memory left. `full`: it has no disk space left. */
export type Unavailable = 'busy' | 'lost' | 'full'

/** System errors and SQLSTATE prefixes (https://www.postgresql.org/docs/17/errcodes-appendix.html). The first match applies. */
const KIND_BY_CODE: readonly (readonly [string, Unavailable])[] = [
  ['ECONNREFUSED', 'lost'],
  ['ECONNRESET', 'lost'],
  ['EPIPE', 'lost'],
  ['ETIMEDOUT', 'lost'],
  ['ENOTFOUND', 'lost'],
  ['EHOSTUNREACH', 'lost'],
  ['EAI_AGAIN', 'lost'],
  ['08', 'lost'],
  // A server that was demoted; a transaction that the services made read-only is judged before.
  ['25006', 'lost'],
  ['57P', 'lost'],
  ['58030', 'lost'],
  ['EMFILE', 'busy'],
  ['ENFILE', 'busy'],
  ['ENOSPC', 'full'],
  ['53100', 'full'],
  ['53', 'busy'],
]

/** Messages of driver errors without a code. */
const KIND_BY_MESSAGE: readonly (readonly [string, Unavailable])[] = [
  ['timeout exceeded when trying to connect', 'busy'],
  ['Connection terminated', 'lost'],
  ['Client has encountered a connection error', 'lost'],
  ['The database server is read-only', 'lost'],
  ['The database has another primary server', 'lost'],
  ['Cannot use a pool after calling end', 'lost'],
]

/**
 * Returns why the database could not serve a request, and null for every other error, such as a refused statement. Each reason is
 * temporary: services answer with `unavailable`, and clients try again.
 */
export function whyUnavailable(error: unknown): Unavailable | null {
  if (!(error instanceof Error) || isAbortedRequest(error)) return null
  const code = 'code' in error ? String(error.code) : null
  // A missing file is a bug; a missing socket is a database that does not run.
  if (code === 'ENOENT') return 'syscall' in error && error.syscall === 'connect' ? 'lost' : null
  const known =
    code === null
      ? KIND_BY_MESSAGE.find(([words]) => error.message.startsWith(words))
      : KIND_BY_CODE.find(([prefix]) => code.startsWith(prefix))
  return known?.[1] ?? null
}

interface Refusal {
  /** A sentence for the reader: PostgreSQL's own message names files and tables. */
  message: string
  retryAfterSeconds: number
}

export const REFUSALS: Record<Unavailable, Refusal> = {
  lost: {
    message: 'We can’t reach our database right now. Please try again in a minute.',
    retryAfterSeconds: 10,
  },
  busy: { message: 'We’re very busy right now. Please try again in a few seconds.', retryAfterSeconds: 5 },
  full: { message: 'We can’t save anything right now. Please try again later.', retryAfterSeconds: 60 },
}

/** Returns the headers of a 503. */
export function retryAfter(why: Unavailable): { 'Retry-After': string } {
  return { 'Retry-After': String(REFUSALS[why].retryAfterSeconds) }
}

/** Returns the 503 of a service without an error format of its own; null for errors that are not temporary. */
export function unavailableResponse(error: unknown): Response | null {
  const why = whyUnavailable(error)
  if (!why) return null
  const body = { code: 'unavailable', message: REFUSALS[why].message }
  return Response.json(body, { status: 503, headers: { ...retryAfter(why), 'Cache-Control': 'no-store' } })
}
