import { applyChange, type CartChange, type CartLine } from '#domain/cart.ts'

/** Stores the lines: in this browser for a visitor, in the database for a customer. */
export interface CartStorage {
  load(): Promise<CartLine[]>
  /** Applies the change and returns the new lines; `lines` are the ones it was based on. */
  change(change: CartChange, lines: CartLine[]): Promise<CartLine[]>
  /** Returns read-only lines to show when `load` fails. */
  loadOfflineCopy?(): Promise<CartLine[]>
}

/** `offline`: loading failed, and the lines are a saved copy. */
export type CartStatus = 'loading' | 'ready' | 'offline' | 'failed'

export interface CartSnapshot {
  status: CartStatus
  lines: CartLine[]
}

export const EMPTY_CART: CartSnapshot = { status: 'loading', lines: [] }

/**
 * A cart with optimistic updates: shows the confirmed lines with pending changes applied. Changes are sent one at a time;
 * a failed change is rolled back.
 */
export class CartStore {
  #storage: CartStorage | null = null
  #confirmed: CartLine[] = []
  #pending: CartChange[] = []
  #status: CartStatus = 'loading'
  #start = () => {}
  /** Starts when the first storage opens; earlier changes wait in it. */
  #queue: Promise<unknown> = new Promise<void>((resolve) => {
    this.#start = resolve
  })
  #snapshot: CartSnapshot = EMPTY_CART
  #listeners = new Set<() => void>()

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  snapshot = (): CartSnapshot => this.#snapshot

  /** Switches to another cart. Rejects when it cannot be loaded. */
  open(storage: CartStorage): Promise<void> {
    if (this.#storage) this.#pending = []
    this.#storage = storage
    this.#confirmed = []
    this.#status = 'loading'
    this.#publish()
    this.#start()
    return this.reload()
  }

  /** Loads the cart again, after pending changes. */
  reload(): Promise<void> {
    return this.#enqueue(async (storage) => {
      try {
        this.#confirm(storage, await storage.load())
      } catch (error) {
        if (this.#status === 'loading') await this.#showOfflineCopy(storage)
        throw error
      }
    })
  }

  /** Shows the change at once and sends it. Rolls it back and rejects when the storage fails. */
  change(change: CartChange): Promise<void> {
    this.#pending.push(change)
    this.#publish()
    return this.#enqueue(async (storage) => {
      if (!this.#pending.includes(change)) return
      try {
        if (this.#status === 'offline') this.#confirm(storage, await storage.load())
        this.#confirm(storage, await storage.change(change, this.#confirmed))
      } finally {
        this.#pending = this.#pending.filter((other) => other !== change)
        this.#publish()
      }
    })
  }

  /** Call when the page unloads: drops pending changes, after passing unconfirmed additions to `save`. */
  handOverAdditions(save: (change: CartChange) => void): void {
    for (const change of this.#pending.splice(0)) {
      if (change.kind === 'add') save(change)
    }
  }

  #enqueue(task: (storage: CartStorage) => Promise<void>): Promise<void> {
    const requested = this.#storage
    const done = this.#queue.then(() => {
      const storage = requested ?? this.#storage
      return storage ? task(storage) : undefined
    })
    this.#queue = done.catch(() => undefined)
    return done
  }

  #confirm(storage: CartStorage, lines: CartLine[]): void {
    if (storage !== this.#storage) return
    this.#confirmed = lines
    this.#status = 'ready'
    this.#publish()
  }

  async #showOfflineCopy(storage: CartStorage): Promise<void> {
    // The copy is optional: without one the cart has failed to load.
    const lines = (await storage.loadOfflineCopy?.().catch(() => [])) ?? []
    if (storage !== this.#storage) return
    this.#confirmed = lines
    this.#status = lines.length > 0 ? 'offline' : 'failed'
    this.#publish()
  }

  #publish(): void {
    const lines = this.#pending.reduce(
      (shown, change) => applyChange(shown, change, optimisticLine),
      this.#confirmed,
    )
    this.#snapshot = { status: this.#status, lines }
    for (const listener of this.#listeners) listener()
  }
}

function optimisticLine(line: Omit<CartLine, 'id' | 'createdAt'>): CartLine {
  return { ...line, id: crypto.randomUUID(), createdAt: new Date().toISOString() }
}
