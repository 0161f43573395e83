import { MutationObserver, QueryObserver, type QueryClient } from '@tanstack/react-query'
import type { Toast } from '#app/ui/toast-stack.tsx'
import { createQueryClient } from '#app/data/query-client.ts'
import { NoResponseError, queryBackend } from '#app/data/query-backend.ts'
import {
  applyChange,
  findLine,
  lineKey,
  type CartAvailability,
  type CartChange,
  type CartLine,
} from '#domain/cart.ts'
import { centsFromRand } from '#domain/money.ts'
import { leftOutText } from '#domain/cart-texts.ts'
import { identityFrom, lineFrom, storedFrom } from '#domain/stored-cart.ts'
import type { CartSnapshot, CartStorage } from './cart-context.ts'
import * as local from './local-cart.ts'

/** Mutations of a scope run one at a time, so that no response is older than the lines it replaces. */
const ONE_AT_A_TIME = { scope: { id: 'cart' } }

/**
 * A change without a response is sent again: a phone's connection may return. A page that goes loses its requests too, in Safari and
 * Firefox as soon as the next page is requested; the change must still be pending when `#handOverAdditions` runs.
 */
const SEND_AGAIN = {
  retry: (failures: number, error: Error) =>
    failures < 3 && navigator.onLine && error instanceof NoResponseError,
  retryDelay: 1000,
}

/** A change of existing lines. */
type StoredChange = Exclude<CartChange, { kind: 'add' }>

interface RemoteCartListeners {
  onLoadError: (error: unknown) => void
  /** Receives the visitor's lines that were not merged and are deleted, because they are not for sale. */
  onLeftOut: (lines: CartLine[]) => void
}

export function leftOutToast(lines: readonly CartLine[]): Toast {
  return { title: 'Left out of your cart', description: leftOutText(lines), isUnprompted: true }
}

/** The storage of a customer's cart: the database. Shows the loaded lines with pending changes applied; a failed change is rolled back. */
export class RemoteCart implements CartStorage {
  #pending: CartChange[] = []
  #snapshot: CartSnapshot = { status: 'loading', lines: local.readGuestCart() }
  #listener: (() => void) | undefined
  #otherTabs: BroadcastChannel | undefined
  readonly #userId: string
  readonly #onLeftOut: RemoteCartListeners['onLeftOut']
  readonly #queries: QueryClient
  readonly #cart: QueryObserver<CartLine[]>
  readonly #changes: MutationObserver<CartLine[] | undefined, Error, CartChange, void>

  constructor(userId: string, { onLoadError, onLeftOut }: RemoteCartListeners) {
    this.#userId = userId
    this.#onLeftOut = onLeftOut
    this.#queries = createQueryClient(onLoadError)
    const load = () => loadCart(userId, this.#onMerged)
    const loads = new MutationObserver(this.#queries, { ...ONE_AT_A_TIME, mutationFn: load })
    this.#cart = new QueryObserver<CartLine[]>(this.#queries, {
      queryKey: ['cart', userId],
      queryFn: () => loads.mutate(),
      retry: false,
      // A load that waits for the end of a press would replace the lines of a later change.
      persister: undefined,
    })
    this.#changes = new MutationObserver(this.#queries, {
      ...ONE_AT_A_TIME,
      ...SEND_AGAIN,
      mutationFn: async (change) => {
        const isHandedOver = !this.#pending.includes(change)
        if (isHandedOver) return undefined
        const merged = await settleGuestLines(change, this.#onMerged)
        if (change.kind === 'add') return addLine(change.line)
        const known = merged ?? this.#cart.getCurrentResult().data ?? (await load())
        return (await changeLines(userId, change, known)) ?? this.#changeCurrent(change, await load())
      },
      onMutate: (change) => {
        this.#pending.push(change)
        this.#publish()
      },
      onSuccess: (lines) => {
        this.#queries.setQueryData(['cart', userId], lines)
        this.#notifyTabs()
      },
      onSettled: (_lines, _error, settled) => {
        this.#pending = this.#pending.filter((change) => change !== settled)
        this.#publish()
      },
    })
  }

  snapshot = () => this.#snapshot
  fetchAvailability = fetchAvailability
  change = (change: CartChange) => this.#changes.mutate(change)
  settle = () =>
    new MutationObserver(this.#queries, { ...ONE_AT_A_TIME, mutationFn: async () => undefined }).mutate()
  /** Abandons a load in progress, which may have read the cart before the change that is to be loaded. */
  reload = async () => {
    await this.#queries.cancelQueries()
    await this.#cart.refetch()
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
    const stopLoading = this.#cart.subscribe(() => this.#publish())
    return () => {
      this.#handOverAdditions()
      this.#listener = undefined
      stopped.abort()
      stopLoading()
      this.#otherTabs?.close()
    }
  }

  /** Shows the cart that was loaded again, and changes that. */
  async #changeCurrent(change: StoredChange, current: CartLine[]): Promise<CartLine[]> {
    this.#queries.setQueryData(['cart', this.#userId], current)
    const changed = await changeLines(this.#userId, change, current)
    if (!changed) throw new Error('the line is no longer in the cart')
    return changed
  }

  /**
   * When the page goes, the next one merges the unconfirmed additions from the guest cart. Their ids keep a request in flight
   * from counting twice.
   */
  #handOverAdditions(): void {
    for (const change of this.#pending.splice(0)) if (change.kind === 'add') local.changeGuestCart(change)
    this.#queries.getMutationCache().clear()
  }

  readonly #onMerged: OnMerged = (leftOut) => {
    this.#notifyTabs()
    if (leftOut.length > 0) this.#onLeftOut(leftOut)
  }

  #notifyTabs(): void {
    // A BroadcastChannel reaches only this origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#otherTabs?.postMessage(null)
  }

  #publish(): void {
    // A late response must not save a copy of the cart after the sign-out.
    if (!this.#listener) return
    const { status, lines } = this.#loaded()
    this.#snapshot = { status, lines: this.#pending.reduce(applyChange, lines) }
    this.#listener()
  }

  #loaded(): CartSnapshot {
    const { data, errorUpdateCount } = this.#cart.getCurrentResult()
    if (data) {
      local.saveOfflineCopy(this.#userId, data)
      return { status: 'ready', lines: data }
    }
    if (errorUpdateCount === 0) return { status: 'loading', lines: local.readGuestCart() }
    const lines = local.readOfflineCopy(this.#userId)
    return { status: lines.length > 0 ? 'offline' : 'failed', lines }
  }
}

/** Called once lines were taken out of the guest cart, with those that are not for sale. */
type OnMerged = (leftOut: CartLine[]) => void

/** Merges the visitor's lines, if any, and returns the cart. */
async function loadCart(userId: string, onMerged: OnMerged): Promise<CartLine[]> {
  // The client would retry for seconds.
  if (!navigator.onLine) throw new NoResponseError('the browser is offline')
  if (local.readGuestCart().length > 0) {
    try {
      return await mergeGuestCart(onMerged)
    } catch (error) {
      // The lines stay in the guest cart and are merged before their next change or at the next load.
      console.error('the guest cart was not merged', error)
    }
  }
  const rows = await queryBackend((backend) =>
    backend.from('cart_items').select('*').eq('user_id', userId).order('created_at', { ascending: false }),
  )
  return rows.map(lineFrom)
}

/** Merges the visitor's lines and returns the cart. */
async function mergeGuestCart(onMerged: OnMerged): Promise<CartLine[]> {
  const sent = local.readGuestCart()
  const { cart, leftOut } = await mergeLines(sent)
  removeSent(sent, leftOut, onMerged)
  return cart
}

/**
 * Merges the guest cart before a change of one of its lines, and returns the cart. The shop may have merged the line without being heard:
 * a later merge would bring a removed line back, or count it again after another addition. Throws while the outcome is unknown.
 */
async function settleGuestLines(change: CartChange, onMerged: OnMerged): Promise<CartLine[] | undefined> {
  if (!concerns(change, local.readGuestCart())) return undefined
  try {
    return await mergeGuestCart(onMerged)
  } catch (error) {
    if (error instanceof NoResponseError) throw error
    console.error('the guest cart was not merged', error)
    return undefined
  }
}

function concerns(change: CartChange, lines: CartLine[]): boolean {
  if (change.kind === 'clear') return lines.length > 0
  return change.kind !== 'follow-catalogue' && findLine(lines, change.line) !== undefined
}

const isIn = (lines: CartLine[], { id }: CartLine) => lines.some((line) => line.id === id)

/** Takes the sent lines out of the guest cart, except those that have grown meanwhile: the next merge adds the difference. */
function removeSent(sent: CartLine[], leftOut: CartLine[], onMerged: OnMerged): void {
  const before = local.readGuestCart()
  const isDone = (line: CartLine) =>
    isIn(leftOut, line) || sent.some(({ id, quantity }) => id === line.id && quantity === line.quantity)
  const left = before.filter((line) => !isDone(line))
  local.writeGuestCart(left)
  // Another tab may have merged the same lines first, and has told about those that are not for sale.
  if (left.length < before.length) onMerged(leftOut.filter((line) => isIn(before, line)))
}

/** Adds the lines in one transaction. Returns the cart and the lines that are not for sale. Idempotent by the ids of the lines. */
async function mergeLines(lines: CartLine[]): Promise<{ cart: CartLine[]; leftOut: CartLine[] }> {
  const oldestFirst = lines.toReversed().map(storedFrom)
  const rows = await queryBackend((backend) => backend.rpc('merge_cart', { lines: oldestFirst }))
  const cart = rows.map(lineFrom)
  const merged = new Set(rows.map(({ merged_line }) => merged_line))
  return { cart, leftOut: lines.filter((line) => !merged.has(line.id) && !findLine(cart, line)) }
}

async function addLine(line: CartLine): Promise<CartLine[]> {
  const { cart, leftOut } = await mergeLines([line])
  if (leftOut.length > 0) throw new Error('the line is not for sale')
  return cart
}

/**
 * Stores a change of existing lines and returns the new ones. Returns null when the line is gone: another device has removed it, and may
 * have added it again under a new id. The rows of the database follow the catalogue by themselves.
 */
async function changeLines(
  userId: string,
  change: StoredChange,
  lines: CartLine[],
): Promise<CartLine[] | null> {
  const changed = applyChange(lines, change)
  if (change.kind === 'follow-catalogue') return changed
  const [column, value] =
    change.kind === 'clear' ? ['user_id', userId] : ['id', findLine(lines, change.line)?.id]
  if (!value) return change.kind === 'remove' ? lines : null
  const quantity = change.kind === 'clear' ? 0 : findLine(changed, change.line)?.quantity
  const written = await queryBackend((backend) => {
    const rows = backend.from('cart_items')
    return (quantity ? rows.update({ quantity }) : rows.delete()).eq(column, value).select('id')
  })
  return written.length > 0 || change.kind === 'clear' ? changed : null
}

/** Stock that the customer's own unpaid order reserves counts as available. */
async function fetchAvailability(shown: readonly CartLine[]): Promise<CartAvailability> {
  const { lines } = await queryBackend((backend) => backend.rpc('quote_cart'))
  return new Map(
    lines.map((line) => [
      // The quote has no variant of a line that is not for sale.
      lineKey(shown.find(({ id }) => id === line.id) ?? identityFrom(line)),
      {
        priceCents: line.price === null ? null : centsFromRand(line.price),
        available: line.available,
        isMadeToOrder: line.made_to_order,
        launchAt: line.launch_at,
        variant: line.variant_id === null ? undefined : identityFrom(line),
      },
    ]),
  )
}
