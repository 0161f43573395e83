import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'

import { listen } from '#backend/database/listen.ts'
import type { Database } from '#backend/database/pool.ts'

import { currentSnapshot, dropEntries, PAGE, readEntries, type Entry } from './read-entries.ts'

export const FEED_CHANNEL = 'realtime_feed'

/** Entries are kept this long; a process that was cut off for longer has missed some, and says so. */
const KEPT_MS = 5 * 60_000
/** Where notifications do not arrive (a pooler that shares connections), changes are found by looking. */
const LOOK_ANYWAY_EVERY_MS = 10_000
const AGAIN_AFTER_ERROR_MS = 500

const FIRST_PAGE: { upTo: string | null; after: string } = { upTo: null, after: '0' }

export interface FeedOptions {
  database: Database
  log: { error(fields: object, message: string): void; warn(fields: object, message: string): void }
  signal: AbortSignal
  /** Nobody listening: nothing is read, and what happens meanwhile is nobody's loss. */
  isWanted: () => boolean
  /** Called with one page after the other; the next is read when it returns, the same again when it throws. */
  onEntries: (entries: Entry[]) => Promise<void>
  /** The connection that listens is up, for the first time or again. */
  onListening: (client: Client) => Promise<void>
  /** What happened in the meantime cannot be had any more. */
  onGap: () => void
}

/** Reads what the triggers wrote, each entry once, in this process. */
export class Feed {
  readonly #options: FeedOptions
  #since: string | null = null
  #page = FIRST_PAGE
  #readAt = 0
  #reading: Promise<void> | undefined
  #isAskedAgain = false
  /** A snapshot and when it was taken; what is older than the first is dropped. */
  #snapshots: { snapshot: string; takenAt: number }[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(options: FeedOptions) {
    this.#options = options
  }

  start(): void {
    const { database, log, signal, onListening } = this.#options
    listen(database, {
      channel: FEED_CHANNEL,
      signal,
      onNotification: () => this.wake(),
      onListening: (client) => {
        this.wake()
        onListening(client).catch((error: unknown) => {
          if (!signal.aborted) log.error({ err: error }, 'presence is not up to date')
        })
      },
      onLost: (error) =>
        log.warn({ reason: error.message }, 'live changes are late: the listening connection was lost'),
    })
    this.#timer = setInterval(() => this.wake(), LOOK_ANYWAY_EVERY_MS).unref()
    signal.addEventListener('abort', () => clearInterval(this.#timer), { once: true })
  }

  /** From here on nothing is missed. */
  async ready(): Promise<void> {
    if (this.#since !== null) return
    const snapshot = await currentSnapshot(this.#options.database.owner)
    this.#since ??= snapshot
    this.#readAt = Date.now()
  }

  wake(): void {
    if (this.#reading) {
      this.#isAskedAgain = true
      return
    }
    this.#reading = this.#readAll().finally(() => {
      this.#reading = undefined
      if (!this.#isAskedAgain) return
      this.#isAskedAgain = false
      this.wake()
    })
  }

  /** What is being read is finished. */
  async rest(): Promise<void> {
    await this.#reading
  }

  async #readAll(): Promise<void> {
    const { log, signal, isWanted } = this.#options
    if (signal.aborted) return
    if (!isWanted()) this.#since = null
    try {
      await this.#read()
      await this.#tidy()
    } catch (error) {
      if (signal.aborted) return
      log.error({ err: error }, 'live changes could not be read')
      await pause(AGAIN_AFTER_ERROR_MS, undefined, { ref: false })
      this.#isAskedAgain = true
    }
  }

  async #read(): Promise<void> {
    const { onEntries, onGap, signal } = this.#options
    const { owner } = this.#options.database
    if (this.#since === null) return
    if (Date.now() - this.#readAt > KEPT_MS / 2) {
      this.#since = null
      this.#page = FIRST_PAGE
      await this.ready()
      onGap()
      return
    }
    for (;;) {
      const { upTo, entries } = await readEntries(owner, { since: this.#since, ...this.#page })
      if (entries.length > 0) await onEntries(entries)
      // Where a failure later on is to go on from: what was delivered is not delivered again.
      this.#page = { upTo, after: entries.at(-1)?.id ?? this.#page.after }
      if (signal.aborted) return
      if (entries.length < PAGE) break
    }
    this.#since = this.#page.upTo
    this.#page = FIRST_PAGE
    this.#readAt = Date.now()
  }

  /** Every process does this; a row that another has dropped already is no trouble. */
  async #tidy(): Promise<void> {
    const { owner } = this.#options.database
    const newest = this.#snapshots.at(-1)
    if (newest && Date.now() - newest.takenAt < KEPT_MS / 4) return
    this.#snapshots.push({ snapshot: await currentSnapshot(owner), takenAt: Date.now() })
    const oldEnough = this.#snapshots.findLast(({ takenAt }) => Date.now() - takenAt > KEPT_MS)
    if (!oldEnough) return
    await dropEntries(owner, { readBefore: oldEnough.snapshot })
    this.#snapshots = this.#snapshots.filter(({ takenAt }) => takenAt >= oldEnough.takenAt)
  }
}
