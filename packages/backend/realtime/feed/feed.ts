import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'

import { listenToChannel } from '#backend/database/listen-to-channel.ts'
import type { DatabasePools } from '#backend/database/pool.ts'

import { currentSnapshot, dropEntries, FEED_PAGE_SIZE, readEntries, type FeedEntry } from './read-entries.ts'
import type { Log } from '#backend/process/log.ts'

const FEED_CHANNEL = 'realtime_feed'

/** Entries are deleted after this time; a process that was disconnected for longer reports a gap. */
const RETENTION_MS = 5 * 60_000
/** Fallback for databases without notifications, such as a pooler that shares connections. */
const POLL_INTERVAL_MS = 10_000
const RETRY_DELAY_MS = 500

interface Page {
  upTo: string | null
  after: string
  /** Not after `upTo` was taken. */
  takenAt: number
}

const FIRST_PAGE: Page = { upTo: null, after: '0', takenAt: 0 }

export interface FeedOptions {
  database: DatabasePools
  log: Pick<Log, 'error' | 'warn'>
  signal: AbortSignal
  /** While false, entries are skipped. */
  hasSubscribers: () => boolean
  /** Called with one page at a time; a page is read again when the promise rejects. */
  onEntries: (entries: FeedEntry[]) => Promise<void>
  /** Called when the listening connection is established, also after a reconnect. */
  onListening: (client: Client) => Promise<void>
  /** Called when entries were deleted before this process read them. */
  onGap: () => void
}

/** Reads the entries that the triggers wrote, each once per process. */
export class Feed {
  readonly #options: FeedOptions
  #since: string | null = null
  #page = FIRST_PAGE
  /** Not after `#since` was taken. */
  #sinceAt = 0
  #reading: Promise<void> | undefined
  #isWakePending = false
  /** Snapshots with their time, for deleting entries that are older than the retention. */
  #snapshots: { snapshot: string; takenAt: number }[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(options: FeedOptions) {
    this.#options = options
  }

  start(): void {
    const { database, log, signal, onListening } = this.#options
    listenToChannel(database, {
      channel: FEED_CHANNEL,
      signal,
      onNotification: () => this.wake(),
      onListening: (client) => {
        this.wake()
        onListening(client).catch((error: unknown) => {
          if (!signal.aborted) log.error({ err: error }, 'Could not restore the presences')
        })
      },
      onLost: (error) =>
        log.warn({ err: error }, 'Live changes are delayed: the listening connection was lost'),
    })
    this.#timer = setInterval(() => this.wake(), POLL_INTERVAL_MS).unref()
    signal.addEventListener('abort', () => clearInterval(this.#timer), { once: true })
  }

  /** Fixes the read position; every entry that is committed later is delivered. */
  async ready(): Promise<void> {
    if (this.#since !== null) return
    const takenAt = Date.now()
    const snapshot = await currentSnapshot(this.#options.database.owner)
    this.#since ??= snapshot
    this.#sinceAt = takenAt
  }

  wake(): void {
    if (this.#reading) {
      this.#isWakePending = true
      return
    }
    this.#reading = this.#readAll().finally(() => {
      this.#reading = undefined
      if (!this.#isWakePending) return
      this.#isWakePending = false
      this.wake()
    })
  }

  async waitUntilIdle(): Promise<void> {
    await this.#reading
  }

  async #readAll(): Promise<void> {
    const { log, signal, hasSubscribers } = this.#options
    if (signal.aborted) return
    if (!hasSubscribers()) this.#since = null
    try {
      await this.#read()
      await this.#dropOldEntries()
    } catch (error) {
      if (signal.aborted) return
      log.error({ err: error }, 'Could not read live changes')
      await pause(RETRY_DELAY_MS, undefined, { ref: false })
      this.#isWakePending = true
    }
  }

  async #read(): Promise<void> {
    const { onEntries, onGap, signal } = this.#options
    const { owner } = this.#options.database
    if (this.#since === null) return
    if (Date.now() - this.#sinceAt > RETENTION_MS / 2) {
      this.#since = null
      this.#page = FIRST_PAGE
      await this.ready()
      onGap()
      return
    }
    for (;;) {
      // Before the query: a process that is paused during it may miss entries.
      const takenAt = this.#page.upTo === null ? Date.now() : this.#page.takenAt
      const { upTo, entries } = await readEntries(owner, { since: this.#since, ...this.#page })
      if (entries.length > 0) await onEntries(entries)
      // Saves the position after each page, so that a retry does not deliver a page twice.
      this.#page = { upTo, after: entries.at(-1)?.id ?? this.#page.after, takenAt }
      if (signal.aborted) return
      if (entries.length < FEED_PAGE_SIZE) break
    }
    this.#since = this.#page.upTo
    this.#sinceAt = this.#page.takenAt
    this.#page = FIRST_PAGE
  }

  /** Idempotent: every process runs this. */
  async #dropOldEntries(): Promise<void> {
    const { owner } = this.#options.database
    const newest = this.#snapshots.at(-1)
    if (newest && Date.now() - newest.takenAt < RETENTION_MS / 4) return
    this.#snapshots.push({ snapshot: await currentSnapshot(owner), takenAt: Date.now() })
    const oldEnough = this.#snapshots.findLast(({ takenAt }) => Date.now() - takenAt > RETENTION_MS)
    if (!oldEnough) return
    await dropEntries(owner, { readBefore: oldEnough.snapshot })
    this.#snapshots = this.#snapshots.filter(({ takenAt }) => takenAt >= oldEnough.takenAt)
  }
}
