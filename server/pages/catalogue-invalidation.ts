import type { Logger } from 'pino'
import { z } from 'zod'
import { type DatabasePools, listenToChannel, selectRows } from '@saltfreak/backend'

/** Tells caches when the content of pages changes, whichever process changed it. */
export interface CatalogueInvalidation {
  /** True when no notification can be pending. Synchronous, so that cached pages are sent without waiting. */
  isUpToDate(): boolean
  /** Waits for pending notifications. False while the listening connection is down: then no cache entry can be trusted. */
  catchUp(): Promise<boolean>
  /** Call after a write of this process: its notification may be pending. */
  noteWrite(): void
  /** How long content read now stays valid without a notification: until the next launch or end of a reservation. */
  timeToLiveMs(): Promise<number>
}

/** Delivery dates and the like change with the clock, so nothing is cached for longer. */
const MAX_TTL_MS = 60_000

/** Orders of a launch change the stock hundreds of times a second. Rendering the pages anew for each would take the cores from them. */
const MIN_PAUSE_MS = 200

export interface InvalidationSource {
  database: DatabasePools
  log: Pick<Logger, 'warn'>
  onInvalidate: () => void
  closing?: AbortSignal | undefined
}

const nextChange = z.object({ ms: z.number().nullable() })

export function watchCatalogue({
  database,
  log,
  onInvalidate,
  closing,
}: InvalidationSource): CatalogueInvalidation {
  let isListening = false
  let writes = 0
  /** How many of this process's writes have been notified. */
  let notifiedWrites = 0
  let pending: { writes: number; done: Promise<void> } | null = null
  let invalidatedAt = -Infinity
  let postponed: NodeJS.Timeout | null = null

  function invalidate(): void {
    if (postponed) clearTimeout(postponed)
    postponed = null
    invalidatedAt = performance.now()
    onInvalidate()
  }

  /** The first change shows at once, those that follow it closely together after the pause. */
  function invalidateSoon(): void {
    const waitMs = invalidatedAt + MIN_PAUSE_MS - performance.now()
    if (waitMs <= 0) invalidate()
    else postponed ??= setTimeout(invalidate, waitMs).unref()
  }

  const listener = listenToChannel(database, {
    channel: 'catalogue_changed',
    signal: closing,
    onNotification: invalidateSoon,
    onListening() {
      isListening = true
      invalidate()
    },
    onLost(error) {
      isListening = false
      log.warn({ err: error }, 'page cache is off until the database answers: every request renders its page')
    },
  })

  async function awaitNotifications(upTo: number): Promise<void> {
    await listener.catchUp()
    if (postponed) invalidate()
    notifiedWrites = Math.max(notifiedWrites, upTo)
  }

  return {
    isUpToDate: () => isListening && notifiedWrites === writes,
    async catchUp() {
      if (isListening && notifiedWrites < writes) {
        if (pending?.writes !== writes) pending = { writes, done: awaitNotifications(writes) }
        // `onLost` logs a lost connection.
        const isNotified = await pending.done.then(
          () => true,
          () => false,
        )
        return isNotified && isListening
      }
      return isListening
    },
    noteWrite: () => void (writes += 1),
    async timeToLiveMs() {
      const [next] = await selectRows(database.owner, nextChange, [
        'select (extract(epoch from private.next_catalogue_change() - now()) * 1000)::float8 as ms',
      ])
      return Math.min(next?.ms ?? MAX_TTL_MS, MAX_TTL_MS)
    },
  }
}
