import { listenToChannel } from '#backend/database/listen-to-channel.ts'
import type { DatabasePools } from '#backend/database/pool.ts'

import { buildSchema } from './build.ts'
import { hasChangedSince, readSystemCatalogue } from './catalogue.ts'
import type { Schema } from './model.ts'

export interface SchemaCacheOptions {
  exposed: readonly string[]
  searchPath: string[]
  onError: (error: Error) => void
  /** Ends the listening connection. */
  signal?: AbortSignal | undefined
}

/**
 * Caches the schema. Reloads it on `notify pgrst, 'reload schema'` and, because migrations may forget to notify, when a request misses a
 * name and the catalogue has changed.
 */
export class SchemaCache {
  readonly #database: DatabasePools
  readonly #options: SchemaCacheOptions
  #schema: Promise<Schema> | undefined
  #renewal: Promise<Schema | null> | undefined
  #isListening = false

  constructor(database: DatabasePools, options: SchemaCacheOptions) {
    this.#database = database
    this.#options = options
  }

  current(): Promise<Schema> {
    if (!this.#isListening) this.#listen()
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

  /** Returns the reloaded schema if the catalogue is newer than `known`, otherwise null. Concurrent calls share one check. */
  async reloadIfNewer(known: Schema): Promise<Schema | null> {
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
    // Not as `authenticator`, which may lack usage on the schemas of identity columns' sequences.
    const client = await this.#database.owner.connect()
    let isSound = false
    try {
      const rows = await readSystemCatalogue(client, searchPath)
      isSound = true
      return buildSchema(rows, exposed, searchPath)
    } finally {
      client.release(!isSound)
    }
  }

  #listen(): void {
    this.#isListening = true
    const { onError, signal } = this.#options
    let hasListened = false
    listenToChannel(this.#database, {
      channel: 'pgrst',
      signal,
      onLost: onError,
      onNotification: (payload) => {
        if (['', 'reload schema', 'reload config'].includes(payload)) this.reload().catch(onError)
      },
      onListening: () => {
        // Reload after a reconnection, because notifications meanwhile are lost.
        if (hasListened) this.reload().catch(onError)
        hasListened = true
      },
    })
  }
}
