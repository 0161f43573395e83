import { useCallback, useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { useSession } from '#app/session/session.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { countItems, lineKey, orderableLines, type CartLine, type NewLine } from '#domain/cart.ts'
import { subtotalOf } from '#domain/pricing.ts'
import { CartContext, type Cart, type ShownLine } from './cart-context.ts'
import { CartDrawer } from './cart-drawer.tsx'
import { added, cleared, removed } from './cart-toasts.ts'
import { isMadeFirst, problemOf, wantedBodies, type Standings } from './line-standing.ts'
import { agreeToPrices, knownPrices, type KnownPrices } from './price-memory.ts'
import { useCartStore } from './use-cart-store.ts'

const NOT_ASKED: Standings = new Map()

/** Gives its children `useCart`, and shows the drawer. */
export function CartProvider({ children }: { children: ReactNode }) {
  const { status, lines, change, reload } = useCartStore()
  const prices = useKnownPrices({ status, lines })
  const { standings, check } = useStandings({ lines, change })
  const actions = useLineActions({ lines, change })
  const { isOpen, open, close } = useDrawer()

  const compare = useEffectEvent(check)
  const isShown = isOpen && status === 'ready'
  // Not when it opens: the lines of a cart that still loads could not be compared with the catalogue.
  useEffect(() => {
    if (isShown) void compare()
  }, [isShown])

  const cart = useMemo<Cart>(() => {
    const shownLines = lines.map((line) => shown(line, { lines, standings, prices }))
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
  }, [status, lines, prices, standings, isOpen, open, close, actions, reload, check])

  return (
    <CartContext value={cart}>
      {children}
      <CartDrawer />
    </CartContext>
  )
}

interface Known {
  lines: CartLine[]
  standings: Standings
  prices: ReturnType<typeof useKnownPrices>
}

function shown(line: CartLine, { lines, standings, prices }: Known): ShownLine {
  const standing = standings.get(lineKey(line))
  const wanted = wantedBodies(lines, line)
  return {
    ...line,
    previousPriceCents: prices.changedFrom(line),
    problem: problemOf(line, standing, wanted),
    isMadeFirst: isMadeFirst(standing, wanted),
  }
}

/** Open for as long as the page stays: whatever link is followed, what it leads to is what the visitor wants to see. */
function useDrawer() {
  const { key } = useLocation()
  const [openedAt, setOpenedAt] = useState<string | null>(null)

  const open = useCallback(() => setOpenedAt(key), [key])
  const close = useCallback(() => setOpenedAt(null), [])

  return { isOpen: openedAt === key, open, close }
}

type Change = ReturnType<typeof useCartStore>['change']

/** What the buyer does to lines, each with what is said about it. */
function useLineActions({ lines, change }: { lines: CartLine[]; change: Change }) {
  const toast = useToast()

  return useMemo(() => {
    const keyOf = (id: string) => {
      const line = lines.find((other) => other.id === id)
      return line && lineKey(line)
    }

    async function add(line: NewLine) {
      // Said at once: on a slow network the buyer must not wonder, and a failure is told as well.
      toast(added(line.productName))
      agreeToPrices([{ ...line, id: '', createdAt: '' }])
      await change({ kind: 'add', line })
    }

    async function remove(id: string) {
      const line = lines.find((other) => other.id === id)
      if (!line) return
      if (await change({ kind: 'remove', key: lineKey(line) })) {
        toast(removed(() => void change({ kind: 'add', line })))
      }
    }

    async function setQuantity(id: string, quantity: number) {
      if (quantity < 1) return remove(id)
      const key = keyOf(id)
      if (key) await change({ kind: 'set-quantity', key, quantity })
    }

    async function clear() {
      if (!(await change({ kind: 'clear' }))) return
      // Oldest first, so that the newest line is on top again.
      const putBack = () => lines.toReversed().forEach((line) => void change({ kind: 'add', line }))
      toast(cleared(putBack))
    }

    return { add, remove, setQuantity, clear }
  }, [lines, change, toast])
}

function useKnownPrices({ status, lines }: { status: Cart['status']; lines: CartLine[] }) {
  const [known, setKnown] = useState<KnownPrices>({})

  useEffect(() => {
    // What the browser has kept cannot be read while rendering: the server renders too.
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

function useStandings({ lines, change }: { lines: CartLine[]; change: Change }) {
  const { status } = useSession()
  const [standings, setStandings] = useState(NOT_ASKED)

  const check = useCallback(async () => {
    if (lines.length === 0) return
    try {
      const { askCustomerStandings, askVisitorStandings } = await import('./ask-standings.ts')
      const now = status === 'signed-in' ? await askCustomerStandings() : await askVisitorStandings(lines)
      setStandings(now)
      for (const line of lines) {
        const priceCents = now.get(lineKey(line))?.priceCents
        if (priceCents != null && priceCents !== line.priceCents) {
          await change({ kind: 'reprice', key: lineKey(line), priceCents })
        }
      }
    } catch (error) {
      // Without an answer the lines stay as they are; the database asks again before it takes an order.
      console.error('the cart was not compared with the catalogue', error)
    }
  }, [lines, status, change])

  return { standings, check }
}
