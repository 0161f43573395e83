import type { CatalogueNews } from './catalogue-news.ts'

interface Keepable {
  status: number
  /** What it takes in memory, roughly. */
  bytes: number
}

/**
 * Answers by address, pages or what they are made of, for as long as what they show has not changed. With more than may be
 * kept, the least recently made go first.
 *
 * All go at once when there is news: a price stands on several pages, and rendering them again takes milliseconds.
 */
export class KeptUntilNews<Answer extends Keepable> {
  readonly #news: CatalogueNews
  readonly #atMostBytes: number
  #kept = new Map<string, Answer>()
  #making = new Map<string, Promise<Answer>>()
  #bytes = 0
  #steadyUntil: Promise<void> | null = null
  #endsAt = Infinity

  constructor(news: CatalogueNews, atMostBytes: number) {
    this.#news = news
    this.#atMostBytes = atMostBytes
  }

  forgetAll(): void {
    this.#kept = new Map()
    this.#making = new Map()
    this.#bytes = 0
    this.#steadyUntil = null
    this.#endsAt = Infinity
  }

  /** One that is certainly current, without waiting for anything. */
  atHand(address: string): Answer | undefined {
    if (!this.#news.isInStep() || performance.now() >= this.#endsAt) return undefined
    return this.#kept.get(address)
  }

  /** Who asks for it now waits with others. */
  isBeingMade(address: string): boolean {
    return this.#making.has(address)
  }

  /** The kept one, or what is made now. Those who ask for the same at once wait for one making. */
  async find(address: string, make: () => Promise<Answer>): Promise<Answer> {
    if (!(await this.#news.catchUp())) return make()
    if (performance.now() >= this.#endsAt) this.forgetAll()
    const known = this.#kept.get(address) ?? this.#making.get(address)
    if (known) return known

    const making = this.#making
    const answer = this.#make(address, make)
    making.set(address, answer)
    // Only from the list it was put on: after news there is another one.
    answer.finally(() => making.delete(address)).catch(() => undefined)
    return answer
  }

  async #make(address: string, make: () => Promise<Answer>): Promise<Answer> {
    const kept = this.#kept
    // Asked before it is made: what is read later is at least as new.
    this.#steadyUntil ??= this.#askHowLong()
    await this.#steadyUntil
    const answer = await make()
    // News came while it was made: it may show what was, and stays with those who asked for it before.
    if (answer.status === 200 && kept === this.#kept) this.#keep(address, answer)
    return answer
  }

  async #askHowLong(): Promise<void> {
    const kept = this.#kept
    const from = performance.now()
    const steadyForMs = await this.#news.steadyForMs()
    if (kept === this.#kept) this.#endsAt = from + steadyForMs
  }

  #keep(address: string, answer: Answer): void {
    this.#kept.set(address, answer)
    this.#bytes += answer.bytes
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#bytes <= this.#atMostBytes) return
      this.#kept.delete(oldest)
      this.#bytes -= bytes
    }
  }
}
