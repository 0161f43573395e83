import { whyUnavailable } from '@saltfreak/backend'
import { unavailablePage } from '../unavailable-page.ts'
import { cacheKeyOf } from './cache-key.ts'
import type { PageCache } from './page-cache.ts'
import { RenderedPage } from './rendered-page.ts'

/** A rendering that failed because the database was away. */
class DatabaseAwayError extends Error {}

/** While the database is away, a cached page is sent without waiting for another failure, except once in this interval. */
const RETRY_INTERVAL_MS = 1000
/** A rendering may share a call that was refused, but not yet read, when it began. */
const SHARED_CALL_MS = 1000
/** Of the page that is shown while the database is away. */
const RETRY_AFTER_SECONDS = 10

type Outage = ReturnType<typeof createOutage>

/** Notices while the database is away, from the API's responses and from renderings. */
export function createOutage() {
  let refusedAt = -Infinity
  let failedAt = -Infinity

  return {
    /** Wraps calls of the API. */
    async noteResponse(response: Response | Promise<Response>): Promise<Response> {
      const settled = await response
      if (settled.status === 503) refusedAt = performance.now()
      return settled
    },
    /** Runs a rendering. Throws `DatabaseAwayError` when it failed while the API refused calls, or just after. */
    async watch<Result extends { response: Response; errors: unknown[] }>(
      render: () => Promise<Result>,
    ): Promise<Result> {
      const start = performance.now()
      const wasRefused = () => refusedAt > start - SHARED_CALL_MS
      try {
        const result = await render()
        if (result.response.status < 500 || !wasRefused()) return result
      } catch (error) {
        if (!whyUnavailable(error) && !wasRefused()) throw error
      }
      failedAt = performance.now()
      throw new DatabaseAwayError()
    },
    isOn: () => performance.now() - failedAt < RETRY_INTERVAL_MS,
  }
}

type FindPage = (request: Request) => Promise<RenderedPage>

/** While the database is away, returns the last cached version of a page, or a page that says to try again. */
export function withOutdatedPages(
  findPage: FindPage,
  { pages, outage }: { pages: PageCache<RenderedPage>; outage: Outage },
): FindPage {
  return async (request) => {
    const { pathname, search } = new URL(request.url)
    const key = cacheKeyOf(request.method, pathname + search)
    const findOutdated = () => (key === null ? undefined : pages.getOutdated(key)?.markOutdated())
    const known = outage.isOn() && findOutdated()
    if (known) return known
    try {
      return await findPage(request)
    } catch (error) {
      if (!(error instanceof DatabaseAwayError) && !whyUnavailable(error)) throw error
      const { headers, body } = unavailablePage(RETRY_AFTER_SECONDS)
      return findOutdated() ?? new RenderedPage({ status: 503, headers, use: 'single' }, body)
    }
  }
}
