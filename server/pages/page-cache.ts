import type { CatalogueInvalidation } from './catalogue-invalidation.ts'

interface Cacheable {
  status: number
  /** Approximate memory use. */
  bytes: number
}

/**
 * An in-memory cache of pages, or of what pages are made from. Evicts the oldest entries above `maxBytes`.
 *
 * An invalidation clears the whole cache: one price appears on several pages, and rendering them again takes milliseconds.
 */
export class PageCache<Entry extends Cacheable> {
  readonly #invalidation: CatalogueInvalidation
  readonly #maxBytes: number
  #entries = new Map<string, Entry>()
  #pending = new Map<string, Promise<Entry>>()
  #bytes = 0
  #expirySet: Promise<void> | null = null
  #expiresAt = Infinity

  constructor(invalidation: CatalogueInvalidation, maxBytes: number) {
    this.#invalidation = invalidation
    this.#maxBytes = maxBytes
  }

  clear(): void {
    this.#entries = new Map()
    this.#pending = new Map()
    this.#bytes = 0
    this.#expirySet = null
    this.#expiresAt = Infinity
  }

  /** Returns an entry only if it is certainly current. */
  getCurrent(key: string): Entry | undefined {
    if (!this.#invalidation.isUpToDate() || performance.now() >= this.#expiresAt) return undefined
    return this.#entries.get(key)
  }

  /** True while `make` runs for this key: further callers share its result. */
  isPending(key: string): boolean {
    return this.#pending.has(key)
  }

  /** Returns the cached entry or the result of `make`. Concurrent calls for one key share one `make`. */
  async getOrMake(key: string, make: () => Promise<Entry>): Promise<Entry> {
    if (!(await this.#invalidation.catchUp())) return make()
    if (performance.now() >= this.#expiresAt) this.clear()
    const known = this.#entries.get(key) ?? this.#pending.get(key)
    if (known) return known

    const pending = this.#pending
    const entry = this.#make(key, make)
    pending.set(key, entry)
    // `clear` replaces the map: delete from the one that the entry was added to.
    entry.finally(() => pending.delete(key)).catch(() => undefined)
    return entry
  }

  async #make(key: string, make: () => Promise<Entry>): Promise<Entry> {
    const entries = this.#entries
    // The expiry is read before the content, so content is never older than its expiry assumes.
    this.#expirySet ??= this.#setExpiry()
    await this.#expirySet
    const entry = await make()
    // An invalidation during `make` replaced the map: the entry may be stale, so only earlier callers get it.
    if (entry.status === 200 && entries === this.#entries) this.#store(key, entry)
    return entry
  }

  async #setExpiry(): Promise<void> {
    const entries = this.#entries
    const from = performance.now()
    const timeToLiveMs = await this.#invalidation.timeToLiveMs()
    if (entries === this.#entries) this.#expiresAt = from + timeToLiveMs
  }

  #store(key: string, entry: Entry): void {
    this.#entries.set(key, entry)
    this.#bytes += entry.bytes
    for (const [oldestKey, { bytes }] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) return
      this.#entries.delete(oldestKey)
      this.#bytes -= bytes
    }
  }
}
