import { queryBackend } from '#app/data/query-backend.ts'
import { applyChange, findLine, lineKey, type CartChange, type CartLine } from '#domain/cart.ts'
import { centsFromRand } from '#domain/money.ts'
import { identityFrom, lineFrom, storedFrom } from '#domain/stored-cart.ts'
import type { CartAvailability, CartSnapshot, CartStorage } from './cart-context.ts'
import * as local from './local-cart.ts'

/** A change and the id of the line that it may create. */
interface PendingChange {
  change: CartChange
  id: string
}

/**
 * The storage of a customer's cart: the database. Shows the confirmed lines with pending changes applied. Loads and changes are
 * sent one at a time, so that no response is older than the lines it replaces; a failed change is rolled back.
 *
 * It does without the query library: that would take the checkout's first view over its limit of 250 kB.
 */
export class RemoteCart implements CartStorage {
  #confirmed: CartLine[] | null = null
  #hasFailed = false
  #pending: PendingChange[] = []
  #queue: Promise<unknown> = Promise.resolve()
  #snapshot: CartSnapshot = { status: 'loading', lines: local.readGuestCart() }
  #listener: (() => void) | undefined
  #otherTabs: BroadcastChannel | undefined
  readonly #userId: string
  readonly #onLoadError: (error: unknown) => void

  constructor(userId: string, onLoadError: (error: unknown) => void) {
    this.#userId = userId
    this.#onLoadError = onLoadError
  }

  snapshot = () => this.#snapshot
  fetchAvailability = fetchAvailability

  reload = async (): Promise<void> => {
    try {
      await this.#enqueue(async () => this.#confirm(await this.#load()))
    } catch (error) {
      this.#hasFailed = true
      this.#publish()
      this.#onLoadError(error)
    }
  }

  subscribe = (listener: () => void) => {
    const stopped = new AbortController()
    const { signal } = stopped
    const reload = () => void this.reload()
    this.#listener = listener
    this.#otherTabs = new BroadcastChannel('server_cart')
    this.#otherTabs.addEventListener('message', reload, { signal })
    addEventListener('online', reload, { signal })
    addEventListener('pageshow', ({ persisted }) => persisted && reload(), { signal })
    addEventListener('pagehide', () => this.#handOverAdditions(), { signal })
    reload()
    return () => {
      this.#handOverAdditions()
      this.#listener = undefined
      stopped.abort()
      this.#otherTabs?.close()
    }
  }

  change = async (change: CartChange): Promise<void> => {
    const sent = { change, id: crypto.randomUUID() }
    this.#pending.push(sent)
    this.#publish()
    try {
      await this.#enqueue(() => this.#send(sent))
    } catch (error) {
      this.#settle(sent)
      this.#publish()
      throw error
    }
  }

  async #send(sent: PendingChange): Promise<void> {
    if (!this.#pending.includes(sent)) return
    const { change, id } = sent
    const lines =
      change.kind === 'add'
        ? await addLines(applyChange([], change, id))
        : await changeLines(this.#userId, change, this.#confirmed ?? (await this.#load()))
    this.#settle(sent)
    this.#confirm(lines)
    this.#notifyTabs()
  }

  #load(): Promise<CartLine[]> {
    return loadCart(this.#userId, () => this.#notifyTabs())
  }

  #enqueue(task: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(task)
    this.#queue = done.catch(() => undefined)
    return done
  }

  #settle(sent: PendingChange): void {
    this.#pending = this.#pending.filter((other) => other !== sent)
  }

  #confirm(lines: CartLine[]): void {
    // A late response must not save a copy of the cart after the sign-out.
    if (!this.#listener) return
    this.#confirmed = lines
    local.saveOfflineCopy(this.#userId, lines)
    this.#publish()
  }

  /**
   * When the page goes, the next one merges the unconfirmed additions from the guest cart. Their ids keep a request in flight
   * from counting twice.
   */
  #handOverAdditions(): void {
    for (const { change, id } of this.#pending.splice(0)) {
      if (change.kind === 'add') local.changeGuestCart(change, id)
    }
  }

  #notifyTabs(): void {
    // A BroadcastChannel reaches only this origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#otherTabs?.postMessage(null)
  }

  #publish(): void {
    const { status, lines }: CartSnapshot = this.#confirmed
      ? { status: 'ready', lines: this.#confirmed }
      : unloaded(this.#userId, this.#hasFailed)
    const shown = this.#pending.reduce((all, { change, id }) => applyChange(all, change, id), lines)
    this.#snapshot = { status, lines: shown }
    this.#listener?.()
  }
}

function unloaded(userId: string, hasFailed: boolean): CartSnapshot {
  if (!hasFailed) return { status: 'loading', lines: local.readGuestCart() }
  const lines = local.readOfflineCopy(userId)
  return { status: lines.length > 0 ? 'offline' : 'failed', lines }
}

async function loadCart(userId: string, onMerged: () => void): Promise<CartLine[]> {
  // The client would retry for seconds.
  if (!navigator.onLine) throw new Error('the browser is offline')
  const merged = await mergeGuestCart(onMerged)
  if (merged) return merged
  const rows = await queryBackend((backend) =>
    backend.from('cart_items').select('*').eq('user_id', userId).order('created_at', { ascending: false }),
  )
  return rows.map(lineFrom)
}

/** Moves a visitor's lines into the customer's cart and returns it; `null` when there are none or the merge failed. */
async function mergeGuestCart(onMerged: () => void): Promise<CartLine[] | null> {
  const sent = local.readGuestCart()
  if (sent.length === 0) return null
  try {
    const merged = await mergeLines(sent)
    // Lines that are not for sale stay, and so do lines that have grown meanwhile: the next merge adds the difference.
    const isMerged = (line: CartLine) =>
      findLine(merged, lineKey(line)) &&
      sent.some(({ id, quantity }) => id === line.id && quantity === line.quantity)
    const left = local.readGuestCart().filter((line) => !isMerged(line))
    local.writeGuestCart(left)
    // Without the check, two tabs with an unsold line would make each other load for ever.
    if (left.length < sent.length) onMerged()
    return merged
  } catch (error) {
    // The lines stay in the guest cart and are merged at the next load.
    console.error('the guest cart was not merged', error)
    return null
  }
}

/** Adds the lines in one transaction and returns the cart. Idempotent by the ids of the lines. */
async function mergeLines(lines: CartLine[]): Promise<CartLine[]> {
  const oldestFirst = lines.toReversed().map(storedFrom)
  return (await queryBackend((backend) => backend.rpc('merge_cart', { lines: oldestFirst }))).map(lineFrom)
}

async function addLines(added: CartLine[]): Promise<CartLine[]> {
  const lines = await mergeLines(added)
  if (!added.every((line) => findLine(lines, lineKey(line)))) throw new Error('the line is not for sale')
  return lines
}

/** Stores a change of existing lines and returns the new ones. The database reprices its rows by itself. */
async function changeLines(
  userId: string,
  change: Exclude<CartChange, { kind: 'add' }>,
  lines: CartLine[],
): Promise<CartLine[]> {
  const changed = applyChange(lines, change, '')
  if (change.kind === 'clear') {
    await queryBackend((backend) => backend.from('cart_items').delete().eq('user_id', userId))
  } else if (change.kind !== 'reprice') {
    const id = findLine(lines, change.key)?.id
    const quantity = findLine(changed, change.key)?.quantity
    if (!id) return lines
    await queryBackend((backend) => {
      const rows = backend.from('cart_items')
      return quantity ? rows.update({ quantity }).eq('id', id) : rows.delete().eq('id', id)
    })
  }
  return changed
}

/** Stock that the customer's own unpaid order reserves counts as available. */
async function fetchAvailability(): Promise<CartAvailability> {
  const { lines } = await queryBackend((backend) => backend.rpc('quote_cart'))
  return new Map(
    lines.map((line) => [
      lineKey(identityFrom(line)),
      {
        priceCents: line.price === null ? null : centsFromRand(line.price),
        available: line.available,
        isMadeToOrder: line.made_to_order,
      },
    ]),
  )
}
