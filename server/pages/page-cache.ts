import type { CatalogueNews } from './catalogue-news.ts'
import type { FinishedPage } from './finished-page.ts'

/** Enough for the pages of a few hundred lures; the least recently made go first. */
const KEEP_BYTES = 24 * 1024 * 1024

/**
 * Finished pages by address, for as long as what they show has not changed.
 *
 * All pages go at once when there is news: a price stands on several, and rendering them again takes milliseconds.
 */
export class PageCache {
  readonly #news: CatalogueNews
  #kept = new Map<string, FinishedPage>()
  #rendering = new Map<string, Promise<FinishedPage>>()
  #bytes = 0
  #steadyUntil: Promise<void> | null = null
  #endsAt = Infinity

  constructor(news: CatalogueNews) {
    this.#news = news
  }

  forgetAll(): void {
    this.#kept = new Map()
    this.#rendering = new Map()
    this.#bytes = 0
    this.#steadyUntil = null
    this.#endsAt = Infinity
  }

  /** A page that is certainly current, without waiting for anything. */
  atHand(address: string): FinishedPage | undefined {
    if (!this.#news.isInStep() || performance.now() >= this.#endsAt) return undefined
    return this.#kept.get(address)
  }

  /** The kept page, or what `render` makes of it. Those who ask for the same at once wait for one rendering. */
  async find(address: string, render: () => Promise<FinishedPage>): Promise<FinishedPage> {
    if (!(await this.#news.catchUp())) return render()
    if (performance.now() >= this.#endsAt) this.forgetAll()
    const known = this.#kept.get(address) ?? this.#rendering.get(address)
    if (known) return known

    const rendering = this.#rendering
    const page = this.#make(address, render)
    rendering.set(address, page)
    // Only from the list it was put on: after news there is another one.
    page.finally(() => rendering.delete(address)).catch(() => undefined)
    return page
  }

  async #make(address: string, render: () => Promise<FinishedPage>): Promise<FinishedPage> {
    const kept = this.#kept
    // Asked before rendering: what the page reads later is at least as new.
    this.#steadyUntil ??= this.#askHowLong()
    await this.#steadyUntil
    const page = await render()
    // News came while it was rendered: it may show what was, and stays with those who asked for it before.
    if (page.status === 200 && kept === this.#kept) this.#keep(address, page)
    return page
  }

  async #askHowLong(): Promise<void> {
    const kept = this.#kept
    const from = performance.now()
    const steadyForMs = await this.#news.steadyForMs()
    if (kept === this.#kept) this.#endsAt = from + steadyForMs
  }

  #keep(address: string, page: FinishedPage): void {
    this.#kept.set(address, page)
    this.#bytes += page.bytes
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#bytes <= KEEP_BYTES) return
      this.#kept.delete(oldest)
      this.#bytes -= bytes
    }
  }
}
