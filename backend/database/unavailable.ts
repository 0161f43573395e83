import { isCutRequest } from '#backend/http/cut-request.ts'

const CONNECTION_LOST = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT', 'ENOTFOUND'])
/** The driver's own words: these errors have no code. */
const LOST = ['Connection terminated', 'Client has encountered a connection error']

/**
 * Why a query never reached PostgreSQL: `busy` if no connection of the pool became free in time, `lost` if the
 * connection is gone. Null for every other error. Both pass by themselves, so services answer that a retry may work.
 */
export function whyUnavailable(error: Error & { code?: unknown }): 'busy' | 'lost' | null {
  if (error.message === 'timeout exceeded when trying to connect') return 'busy'
  if (isCutRequest(error)) return null
  const isLost =
    CONNECTION_LOST.has(String(error.code)) || LOST.some((words) => error.message.startsWith(words))
  return isLost ? 'lost' : null
}
