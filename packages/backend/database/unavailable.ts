import { isAbortedRequest } from '#backend/http/aborted-request.ts'

const CONNECTION_LOST = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'ENOTFOUND'])
/** Messages of driver errors without a code. */
const CONNECTION_LOST_MESSAGES = ['Connection terminated', 'Client has encountered a connection error']

/**
 * Returns `busy` if no connection of the pool became free in time, `lost` if the connection broke, and null for every other
 * error. Both are transient: services tell the client to retry.
 */
export function whyUnavailable(error: Error & { code?: unknown }): 'busy' | 'lost' | null {
  if (error.message === 'timeout exceeded when trying to connect') return 'busy'
  if (isAbortedRequest(error)) return null
  const isLost =
    CONNECTION_LOST.has(String(error.code)) ||
    CONNECTION_LOST_MESSAGES.some((words) => error.message.startsWith(words))
  return isLost ? 'lost' : null
}
