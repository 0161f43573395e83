import { applyChange, type CartChange, type CartLine } from '#domain/cart.ts'

/** Where the lines are kept: this browser for a visitor, the database for a customer. */
export interface CartKeeper {
  load(): Promise<CartLine[]>
  /** Makes the change and returns the lines as they are then; `lines` are those it was seen on. */
  change(change: CartChange, lines: CartLine[]): Promise<CartLine[]>
  /** What to show, to be read only, when the lines cannot be loaded. */
  lastSeen?(): Promise<CartLine[]>
}

/** `last-seen`: it did not load, and the lines are those of the last time. */
export type CartStatus = 'loading' | 'ready' | 'last-seen' | 'failed'

export interface CartSnapshot {
  status: CartStatus
  lines: CartLine[]
}

export const EMPTY_CART: CartSnapshot = { status: 'loading', lines: [] }

/**
 * The cart as it is shown: what its keeper has confirmed, with the changes under way already on it. Changes reach the keeper one
 * after the other; one that fails is dropped, and with it goes its mark on what is shown.
 */
export class CartStore {
  #keeper: CartKeeper | null = null
  #confirmed: CartLine[] = []
  #underWay: CartChange[] = []
  #status: CartStatus = 'loading'
  #begin = () => {}
  /** Nothing is done before there is a keeper to do it; what was asked for until then is done first. */
  #queue: Promise<unknown> = new Promise<void>((resolve) => {
    this.#begin = resolve
  })
  #snapshot: CartSnapshot = EMPTY_CART
  #listeners = new Set<() => void>()

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  snapshot = (): CartSnapshot => this.#snapshot

  /** Shows another keeper's cart. Rejects when it cannot be loaded. */
  open(keeper: CartKeeper): Promise<void> {
    if (this.#keeper) this.#underWay = []
    this.#keeper = keeper
    this.#confirmed = []
    this.#status = 'loading'
    this.#show()
    this.#begin()
    return this.reload()
  }

  /** Asks the keeper again, after the changes under way. */
  reload(): Promise<void> {
    return this.#inTurn(async (keeper) => {
      try {
        this.#confirm(keeper, await keeper.load())
      } catch (error) {
        if (this.#status === 'loading') await this.#fallBack(keeper)
        throw error
      }
    })
  }

  /** Shows the change at once and makes it. Rejects, and shows the cart without it, when the keeper fails. */
  change(change: CartChange): Promise<void> {
    this.#underWay.push(change)
    this.#show()
    return this.#inTurn(async (keeper) => {
      if (!this.#underWay.includes(change)) return
      try {
        if (this.#status === 'last-seen') this.#confirm(keeper, await keeper.load())
        this.#confirm(keeper, await keeper.change(change, this.#confirmed))
      } finally {
        this.#underWay = this.#underWay.filter((other) => other !== change)
        this.#show()
      }
    })
  }

  /** The page goes, and what waits for its turn is no longer made here: what was added and is not confirmed goes to `keep`. */
  leave(keep: (change: CartChange) => void): void {
    for (const change of this.#underWay.splice(0)) {
      if (change.kind === 'add') keep(change)
    }
  }

  #inTurn(work: (keeper: CartKeeper) => Promise<void>): Promise<void> {
    const asked = this.#keeper
    const done = this.#queue.then(() => {
      const keeper = asked ?? this.#keeper
      return keeper ? work(keeper) : undefined
    })
    this.#queue = done.catch(() => undefined)
    return done
  }

  #confirm(keeper: CartKeeper, lines: CartLine[]): void {
    if (keeper !== this.#keeper) return
    this.#confirmed = lines
    this.#status = 'ready'
    this.#show()
  }

  async #fallBack(keeper: CartKeeper): Promise<void> {
    // Not even that may be at hand; then there is nothing to show.
    const lines = (await keeper.lastSeen?.().catch(() => [])) ?? []
    if (keeper !== this.#keeper) return
    this.#confirmed = lines
    this.#status = lines.length > 0 ? 'last-seen' : 'failed'
    this.#show()
  }

  #show(): void {
    const lines = this.#underWay.reduce(
      (shown, change) => applyChange(shown, change, lineToCome),
      this.#confirmed,
    )
    this.#snapshot = { status: this.#status, lines }
    for (const listener of this.#listeners) listener()
  }
}

function lineToCome(line: Omit<CartLine, 'id' | 'createdAt'>): CartLine {
  return { ...line, id: crypto.randomUUID(), createdAt: new Date().toISOString() }
}
