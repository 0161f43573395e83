import type { Logger } from 'pino'
import { listen } from '#backend/database/listen.ts'
import type { Database } from '#backend/database/pool.ts'

/** Says when what pages show has changed, whichever process changed it. */
export interface CatalogueNews {
  /** Nothing is known to have happened since the last news. Synchronous, for the fast way. */
  isInStep(): boolean
  /** Waits for news that may be under way. False while nobody listens: then nothing can be known to be current. */
  catchUp(): Promise<boolean>
  /** This process has just written something: news of it may be under way. */
  expectNews(): void
  /** How long what is read now holds, unless there is news: until the next hold expires. */
  steadyForMs(): Promise<number>
}

/** Delivery dates and the like move with the clock, so nothing stays longer than this. */
const AT_MOST_MS = 60_000

export interface NewsSource {
  database: Database
  log: Pick<Logger, 'warn'>
  onNews: () => void
  closing?: AbortSignal | undefined
}

export function followCatalogue({ database, log, onNews, closing }: NewsSource): CatalogueNews {
  let isListening = false
  let writes = 0
  /** News of so many of our own writes has been told. */
  let toldWrites = 0
  let asking: { writes: number; done: Promise<void> } | null = null

  const listener = listen(database, {
    channel: 'catalogue_changed',
    signal: closing,
    onNotice: onNews,
    onListening() {
      isListening = true
      onNews()
    },
    onLost(error) {
      isListening = false
      log.warn({ reason: error.message }, 'pages are rendered for every request until the database answers')
    },
  })

  async function askFor(upTo: number): Promise<void> {
    await listener.catchUp()
    toldWrites = Math.max(toldWrites, upTo)
  }

  return {
    isInStep: () => isListening && toldWrites === writes,
    async catchUp() {
      if (isListening && toldWrites < writes) {
        if (asking?.writes !== writes) asking = { writes, done: askFor(writes) }
        // A connection that is being lost is told of where it is noticed.
        const isTold = await asking.done.then(
          () => true,
          () => false,
        )
        return isTold && isListening
      }
      return isListening
    },
    expectNews: () => void (writes += 1),
    async steadyForMs() {
      const { rows } = await database.owner.query<{ ms: number | null }>(
        'select (extract(epoch from private.next_reservation_end() - now()) * 1000)::float8 as ms',
      )
      return Math.min(rows[0]?.ms ?? AT_MOST_MS, AT_MOST_MS)
    },
  }
}
