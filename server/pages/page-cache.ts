import { LRUCache } from 'lru-cache'
import type { CatalogueInvalidation } from './catalogue-invalidation.ts'

interface Cacheable {
  status: number
  /** Approximate memory use. */
  bytes: number
}

/**
 * An in-memory cache of pages, or of what pages are made from. Evicts the least recently used entries above `maxBytes`.
 *
 * An invalidation clears the whole cache: one price appears on several pages, and rendering them again takes milliseconds.
 */
export class PageCache<Entry extends Cacheable = Cacheable> {
  readonly #invalidation: CatalogueInvalidation
  /** Outdated entries stay until they are evicted: a page may be shown while the database is away. */
  readonly #entries: LRUCache<string, { entry: Entry; generation: number }>
  #generation = 0
  #pending = new Map<string, Promise<Entry>>()
  #expirySet: Promise<void> | null = null
  #expiresAt = Infinity

  constructor(invalidation: CatalogueInvalidation, maxBytes: number) {
    this.#invalidation = invalidation
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ entry }, key) => entry.bytes + key.length * 2,
    })
  }

  clear(): void {
    this.#generation += 1
    this.#pending = new Map()
    this.#expirySet = null
    this.#expiresAt = Infinity
  }

  size(): { entries: number; bytes: number } {
    return { entries: this.#entries.size, bytes: this.#entries.calculatedSize }
  }

  /** Returns an entry only if it is certainly current. */
  getCurrent(key: string): Entry | undefined {
    if (!this.#invalidation.isUpToDate() || performance.now() >= this.#expiresAt) return undefined
    return this.#find(key)
  }

  /** Returns the last entry of a key, however old. */
  getOutdated(key: string): Entry | undefined {
    return this.#entries.get(key)?.entry
  }

  #find(key: string): Entry | undefined {
    const found = this.#entries.get(key)
    return found?.generation === this.#generation ? found.entry : undefined
  }

  /** True while `make` runs for this key: further callers share its result. */
  isPending(key: string): boolean {
    return this.#pending.has(key)
  }

  /**
   * Returns the cached entry or the result of `make`. Concurrent calls for one key share one `make`. Each key belongs to one
   * type of entry.
   */
  async getOrMake<Made extends Entry>(key: string, make: () => Promise<Made>): Promise<Made> {
    const begun = this.#generation
    if (!(await this.#invalidation.catchUp())) {
      const entry = await make()
      this.#keep(key, entry, { begun, generation: begun - 1 })
      return entry
    }
    if (performance.now() >= this.#expiresAt) this.clear()
    const known = this.#find(key) ?? this.#pending.get(key)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only such a `make` stores an entry under this key
    if (known) return known as Made | Promise<Made>

    const pending = this.#pending
    const entry = this.#make(key, make)
    pending.set(key, entry)
    // `clear` replaces the map: delete from the one that the entry was added to.
    entry.finally(() => pending.delete(key)).catch(() => undefined)
    return entry
  }

  async #make<Made extends Entry>(key: string, make: () => Promise<Made>): Promise<Made> {
    const begun = this.#generation
    // The expiry is read before the content, so content is never older than its expiry assumes.
    this.#expirySet ??= this.#setExpiry().catch((error: unknown) => {
      // A failed attempt must not be repeated until the next invalidation.
      this.#expirySet = null
      throw error
    })
    await this.#expirySet
    const entry = await make()
    // After an invalidation during `make` the entry may be stale: only earlier callers get it, and visitors during an outage.
    this.#keep(key, entry, { begun, generation: begun })
    return entry
  }

  /** Stores an entry, unless the stored one was begun after it. */
  #keep(key: string, entry: Entry, { begun, generation }: { begun: number; generation: number }): void {
    const stored = this.#entries.get(key)?.generation ?? generation
    if (entry.status === 200 && stored <= begun) this.#entries.set(key, { entry, generation })
  }

  async #setExpiry(): Promise<void> {
    const pending = this.#pending
    const from = performance.now()
    const timeToLiveMs = await this.#invalidation.timeToLiveMs()
    if (pending === this.#pending) this.#expiresAt = from + timeToLiveMs
  }
}
