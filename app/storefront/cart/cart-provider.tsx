import { useCallback, useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { useSession } from '#app/data/session.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { countItems, lineKey, orderableLines, type CartLine, type NewLine } from '#domain/cart.ts'
import { subtotalOf } from '#domain/pricing.ts'
import { CartContext, type Cart, type ShownLine } from './cart-context.ts'
import { CartDrawer } from './cart-drawer.tsx'
import { addedToast, clearedToast, removedToast } from './cart-toasts.ts'
import { mustBeMade, problemOf, bodiesWanted, type CartAvailability } from './line-availability.ts'
import { agreeToPrices, knownPrices, type KnownPrices } from './price-memory.ts'
import { useCartStore } from './use-cart-store.ts'

const NOT_LOADED: CartAvailability = new Map()

/** Provides `useCart` and renders the drawer. */
export function CartProvider({ children }: { children: ReactNode }) {
  const { status, lines, change, reload } = useCartStore()
  const prices = useKnownPrices({ status, lines })
  const { availability, check } = useCartAvailability({ lines, change })
  const actions = useLineActions({ lines, change })
  const { isOpen, open, close } = useDrawer()

  const checkNow = useEffectEvent(check)
  const isShown = isOpen && status === 'ready'
  // Check only after loading: the drawer can open before the lines are known.
  useEffect(() => {
    if (isShown) void checkNow()
  }, [isShown])

  const cart = useMemo<Cart>(() => {
    const shownLines = lines.map((line) => shownLine(line, { lines, availability, prices }))
    const orderable = orderableLines(shownLines)
    return {
      status,
      lines: shownLines,
      count: countItems(orderable),
      subtotalCents: subtotalOf(orderable),
      isOpen,
      open,
      close,
      ...actions,
      reload,
      check,
      agreeToPrices: prices.agree,
    }
  }, [status, lines, prices, availability, isOpen, open, close, actions, reload, check])

  return (
    <CartContext value={cart}>
      {children}
      <CartDrawer />
    </CartContext>
  )
}

interface LineContext {
  lines: CartLine[]
  availability: CartAvailability
  prices: ReturnType<typeof useKnownPrices>
}

function shownLine(line: CartLine, { lines, availability, prices }: LineContext): ShownLine {
  const lineAvailability = availability.get(lineKey(line))
  const wanted = bodiesWanted(lines, line)
  return {
    ...line,
    previousPriceCents: prices.changedFrom(line),
    problem: problemOf(line, lineAvailability, wanted),
    mustBeMade: mustBeMade(lineAvailability, wanted),
  }
}

/** Closes the drawer on every navigation. */
function useDrawer() {
  const { key } = useLocation()
  const [openedAt, setOpenedAt] = useState<string | null>(null)

  const open = useCallback(() => setOpenedAt(key), [key])
  const close = useCallback(() => setOpenedAt(null), [])

  return { isOpen: openedAt === key, open, close }
}

type Change = ReturnType<typeof useCartStore>['change']

/** The cart's actions with their toasts. */
function useLineActions({ lines, change }: { lines: CartLine[]; change: Change }) {
  const toast = useToast()

  return useMemo(() => {
    const keyOf = (id: string) => {
      const line = lines.find((other) => other.id === id)
      return line && lineKey(line)
    }

    async function add(line: NewLine) {
      // Optimistic: the toast comes before the response; a failure shows its own toast.
      toast(addedToast(line.productName))
      agreeToPrices([{ ...line, id: '', createdAt: '' }])
      await change({ kind: 'add', line })
    }

    async function remove(id: string) {
      const line = lines.find((other) => other.id === id)
      if (!line) return
      if (await change({ kind: 'remove', key: lineKey(line) })) {
        toast(removedToast(() => void change({ kind: 'add', line })))
      }
    }

    async function setQuantity(id: string, quantity: number) {
      if (quantity < 1) return remove(id)
      const key = keyOf(id)
      if (key) await change({ kind: 'set-quantity', key, quantity })
    }

    async function clear() {
      if (!(await change({ kind: 'clear' }))) return
      // Oldest first, so that the newest line ends up on top.
      const restore = () => lines.toReversed().forEach((line) => void change({ kind: 'add', line }))
      toast(clearedToast(restore))
    }

    return { add, remove, setQuantity, clear }
  }, [lines, change, toast])
}

function useKnownPrices({ status, lines }: { status: Cart['status']; lines: CartLine[] }) {
  const [known, setKnown] = useState<KnownPrices>({})

  useEffect(() => {
    // localStorage cannot be read while rendering, because the server renders too.
    // oxlint-disable-next-line react/set-state-in-effect
    if (status === 'ready') setKnown(knownPrices(lines))
  }, [status, lines])

  return useMemo(
    () => ({
      changedFrom(line: CartLine) {
        const before = known[lineKey(line)]
        return before === undefined || before === line.priceCents ? null : before
      },
      agree: () => setKnown(agreeToPrices(lines)),
    }),
    [known, lines],
  )
}

function useCartAvailability({ lines, change }: { lines: CartLine[]; change: Change }) {
  const { status } = useSession()
  const [availability, setAvailability] = useState(NOT_LOADED)

  const check = useCallback(async () => {
    if (lines.length === 0) return
    try {
      const { fetchCustomerAvailability, fetchVisitorAvailability } = await import('./fetch-availability.ts')
      const current =
        status === 'signed-in' ? await fetchCustomerAvailability() : await fetchVisitorAvailability(lines)
      setAvailability(current)
      for (const line of lines) {
        const priceCents = current.get(lineKey(line))?.priceCents
        if (priceCents != null && priceCents !== line.priceCents) {
          await change({ kind: 'reprice', key: lineKey(line), priceCents })
        }
      }
    } catch (error) {
      // The lines stay as they are; the database checks again before it accepts an order.
      console.error('prices and stock of the cart were not checked', error)
    }
  }, [lines, status, change])

  return { availability, check }
}
