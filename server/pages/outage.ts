import { whyUnavailable } from '@saltfreak/backend'

/** A rendering that failed because the database was away. */
export class DatabaseAwayError extends Error {}

/** While the database is away, a cached page is sent without waiting for another failure, except once in this interval. */
const RETRY_INTERVAL_MS = 1000

/** Notices while the database is away, from the API's responses and from renderings. */
export function createOutage() {
  let refusedCalls = 0
  let failedAt = -Infinity

  return {
    /** Wraps calls of the API. */
    async noteResponse(response: Response | Promise<Response>): Promise<Response> {
      const settled = await response
      if (settled.status === 503) refusedCalls += 1
      return settled
    },
    /** Runs a rendering. Throws `DatabaseAwayError` when it failed while the API refused calls. */
    async watch<Result extends { response: Response; errors: unknown[] }>(
      render: () => Promise<Result>,
    ): Promise<Result> {
      const refusedBefore = refusedCalls
      try {
        const result = await render()
        if (result.response.status < 500 || refusedCalls === refusedBefore) return result
      } catch (error) {
        if (!whyUnavailable(error) && refusedCalls === refusedBefore) throw error
      }
      failedAt = performance.now()
      throw new DatabaseAwayError()
    },
    isOn: () => performance.now() - failedAt < RETRY_INTERVAL_MS,
  }
}
