import { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'

import type { Database } from '#backend/database/pool.ts'

import { buildSchema } from './build.ts'
import { hasChangedSince, readCatalogue } from './catalogue.ts'
import type { Schema } from './model.ts'

export interface SchemaCacheOptions {
  exposed: readonly string[]
  searchPath: string[]
  onError: (error: Error) => void
  /** Ends the listening connection. */
  signal?: AbortSignal | undefined
}

const LISTEN_AGAIN_AFTER_MS = 1_000
const LISTEN_AGAIN_AT_MOST_AFTER_MS = 30_000

/**
 * The schema as it was last read. It is read again on `notify pgrst, 'reload schema'` and, because migrations may
 * forget to say so, when a request misses something and the catalogue has changed since.
 */
export class SchemaCache {
  readonly #database: Database
  readonly #options: SchemaCacheOptions
  #schema: Promise<Schema> | undefined
  #renewal: Promise<Schema | null> | undefined
  #isListening = false
  #listenAgainAfterMs = LISTEN_AGAIN_AFTER_MS

  constructor(database: Database, options: SchemaCacheOptions) {
    this.#database = database
    this.#options = options
  }

  current(): Promise<Schema> {
    if (!this.#isListening) void this.#listen()
    return this.#schema ?? this.reload()
  }

  reload(): Promise<Schema> {
    const reading = this.#read()
    this.#schema = reading
    reading.catch(() => {
      if (this.#schema === reading) this.#schema = undefined
    })
    return reading
  }

  /** The schema again if the catalogue is younger than `known`, otherwise null. Those who miss at once ask once. */
  async newerThan(known: Schema): Promise<Schema | null> {
    const current = await this.current()
    if (current !== known) return current

    this.#renewal ??= this.#renew(known).finally(() => {
      this.#renewal = undefined
    })
    return this.#renewal
  }

  async #renew(known: Schema): Promise<Schema | null> {
    const client = await this.#database.api.connect()
    try {
      if (!(await hasChangedSince(client, known.readInTransaction))) return null
    } finally {
      client.release()
    }
    return this.reload()
  }

  async #read(): Promise<Schema> {
    const { exposed, searchPath } = this.#options
    // Not as `authenticator`: naming the sequence of an identity column needs a look into its schema.
    const client = await this.#database.owner.connect()
    let isSound = false
    try {
      const rows = await readCatalogue(client, searchPath)
      isSound = true
      return buildSchema(rows, exposed, searchPath)
    } finally {
      client.release(!isSound)
    }
  }

  async #listen(): Promise<void> {
    this.#isListening = true
    const { onError, signal } = this.#options
    for (;;) {
      if (signal?.aborted) return
      const error = await this.#listenUntilLost()
      // A database that was dropped does not come back.
      if (error.code === '3D000') return
      if (signal?.aborted) return
      onError(error)
      await setTimeout(this.#listenAgainAfterMs, undefined, { ref: false })
      this.#listenAgainAfterMs = Math.min(this.#listenAgainAfterMs * 2, LISTEN_AGAIN_AT_MOST_AFTER_MS)
    }
  }

  /**
   * Listens on a connection of its own outside the pool, so that closing the pool does not wait for it. It does not
   * keep the process alive either.
   */
  async #listenUntilLost(): Promise<Error & { code?: string }> {
    const { onError, signal } = this.#options
    const { promise: lost, resolve: lose } = Promise.withResolvers<Error>()
    const client = new Client({ ...this.#database.api.options, stream: () => new Socket().unref() })
    const stop = () => lose(new Error('asked to stop'))
    signal?.addEventListener('abort', stop, { once: true })
    client.on('error', lose)
    client.on('end', () => lose(new Error('The connection that listens for schema changes has ended')))
    client.on('notification', ({ payload = '' }) => {
      if (payload === '' || payload === 'reload schema') this.reload().catch(onError)
    })

    await this.#startListening(client).catch(lose)
    const error = await lost
    signal?.removeEventListener('abort', stop)
    client.end().catch(() => undefined)
    return error
  }

  async #startListening(client: Client): Promise<void> {
    await client.connect()
    await client.query('listen pgrst')
    // What was notified while nobody listened is lost: read again after a reconnection.
    if (this.#listenAgainAfterMs > LISTEN_AGAIN_AFTER_MS) await this.reload()
    this.#listenAgainAfterMs = LISTEN_AGAIN_AFTER_MS
  }
}
