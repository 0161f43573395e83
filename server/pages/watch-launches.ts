import type { Logger } from 'pino'
import { z } from 'zod'
import { type DatabasePools, selectRows } from '@saltfreak/backend'

/** A product that goes on sale by itself. */
export interface Launch {
  slug: string
  colours: string[]
  /** Addresses of all its pictures. */
  pictures: string[]
}

interface LaunchWatch {
  database: DatabasePools
  log: Pick<Logger, 'warn'>
  closing?: AbortSignal | undefined
  /** Called once for each launch, minutes before it. */
  onNear: (launch: Launch) => void
  /** Called seconds before a launch, and as soon as its product is on sale. */
  onReady: (launch: Launch) => void
}

/** A large picture takes up to a second, and ten pictures have dozens of sizes. */
const NEAR_MS = 10 * 60_000
/** Less than the time for which pages are cached. */
const READY_MS = 20_000
/** Between two checks, in case a notification was lost. */
const POLL_MS = 60_000
const RETRY_MS = 2000
/** Many catalogue changes, such as the orders of a drop, cause one check. */
const DEBOUNCE_MS = 500

const launchRow = z.object({
  slug: z.string(),
  launch_at: z.string(),
  ms: z.number(),
  colours: z.array(z.string()),
  pictures: z.array(z.string()),
})

const NEXT_LAUNCHES = `
  select p.slug, p.publish_at::text as launch_at, (extract(epoch from p.publish_at - now()) * 1000)::float8 as ms,
    array(select v.slug from public.product_variants v where v.product_id = p.id order by v.position) as colours,
    array(
      select distinct picture from (
        select p.image_url as picture union all select i ->> 'url' from jsonb_array_elements(p.images) i
        union all select v.image_url from public.product_variants v where v.product_id = p.id) as all_pictures
      where picture <> '') as pictures
  from public.products p where p.publish_at is not null order by p.publish_at limit 20`

/**
 * Puts products on sale at the second of their launch, by the database's clock, and says what to prepare before it. Every process
 * watches: the first one publishes, and each has caches of its own. Returns a function to call when the catalogue has changed.
 */
export function watchLaunches({ database, log, closing, onNear, onReady }: LaunchWatch): () => void {
  const { owner } = database
  const prepared = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let dueAt = Infinity
  let isChecking = false
  /** Since the check in progress began: it may have read the launches before. */
  let hasChanged = false

  function scheduleCheck(delayMs: number): void {
    clearTimeout(timer)
    isChecking = false
    if (closing?.aborted) return
    const ms = hasChanged ? Math.min(delayMs, DEBOUNCE_MS) : delayMs
    dueAt = performance.now() + ms
    timer = setTimeout(() => void check(), ms)
    timer.unref()
  }

  async function check(): Promise<void> {
    isChecking = true
    hasChanged = false
    try {
      scheduleCheck(await prepareAndPublish())
    } catch (error) {
      if (closing?.aborted) return
      log.warn({ err: error }, 'the next launch could not be read')
      scheduleCheck(RETRY_MS)
    }
  }

  /** Returns the time to the next step in milliseconds. */
  async function prepareAndPublish(): Promise<number> {
    const from = performance.now()
    const launches = await selectRows(owner, launchRow, [NEXT_LAUNCHES])
    for (const launch of launches) prepare(launch)
    const due = launches.filter(({ ms }) => ms <= 0)
    if (due.length > 0) {
      await owner.query('select private.publish_products()')
      for (const launch of due) onReady(launch)
    }
    const steps = launches.flatMap(({ ms }) => [ms, ms - READY_MS, ms - NEAR_MS]).filter((ms) => ms > 0)
    return Math.max(1, Math.min(POLL_MS, ...steps) - (performance.now() - from))
  }

  function prepare({ ms, launch_at, ...launch }: z.infer<typeof launchRow>): void {
    const key = `${launch.slug} at ${launch_at}`
    if (ms <= NEAR_MS) once(`pictures of ${key}`, () => onNear(launch))
    if (ms > 0 && ms <= READY_MS) once(`pages of ${key}`, () => onReady(launch))
  }

  function once(step: string, run: () => void): void {
    if (prepared.has(step)) return
    prepared.add(step)
    run()
  }

  closing?.addEventListener('abort', () => clearTimeout(timer), { once: true })
  return () => {
    hasChanged = true
    if (!isChecking && dueAt > performance.now() + DEBOUNCE_MS) scheduleCheck(DEBOUNCE_MS)
  }
}
