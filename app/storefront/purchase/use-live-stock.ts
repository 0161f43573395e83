import { useEffect, useMemo, useState } from 'react'
import { requestOrder } from '#app/data/request-order.ts'
import { useSession } from '#app/data/session.tsx'
import { loadCustomerCode } from '#app/storefront/cart/cart.tsx'
import type { Product } from '#domain/catalogue.ts'
import { fetchStock, type StockByVariant } from './fetch-stock.ts'
import type { AddOwnReservations } from './own-reservations.ts'

/** Half of the longest time between two looks at the stock of a limited run. */
const LIMITED_RUN_MS = 8000

interface FetchedStock {
  /** The loader's products for which the stock was fetched. Later ones have newer stock. */
  products: Product[]
  available: StockByVariant
}

/**
 * Returns the products with the current stock. Pages are cached and tabs stay open, so the rendered stock may be stale: fetches
 * it after hydration, for each new array of products and whenever the tab becomes visible, once `isEnabled` is true. The stock of a
 * limited run is fetched again every few seconds while the tab is visible. A customer's own unpaid order takes nothing from it: its
 * units may be in the cart as well, and would count twice.
 */
export function useLiveStock<Item extends Product>(products: Item[], { isEnabled = true } = {}): Item[] {
  const { status, user } = useSession()
  const userId = user?.id
  const isKnown = status !== 'loading'
  const isLimited = products.some(({ showsStock, launchAt }) => showsStock && launchAt === null)
  const [fetched, setFetched] = useState<FetchedStock | null>(null)

  useEffect(() => {
    if (!isEnabled || !isKnown || products.length === 0) return
    const ids = products.map(({ id }) => id).join()
    const leaving = new AbortController()
    const { signal } = leaving
    let own: Promise<AddOwnReservations> | undefined
    const ask = requestOrder()
    const update = async () => {
      if (document.visibilityState !== 'visible') return
      const isCurrent = ask()
      try {
        const [stock, addOwn] = await Promise.all([fetchStock(ids), own])
        if (!signal.aborted && isCurrent())
          setFetched({ products, available: addOwn ? addOwn(stock) : stock })
      } catch (error) {
        // The rendered stock stays; the cart and the database check again.
        console.error('the stock did not load', error)
      }
    }
    const updateAll = () => {
      if (userId && document.visibilityState === 'visible')
        own = loadCustomerCode().then(({ loadOwnReservations }) => loadOwnReservations())
      void update()
    }
    updateAll()
    document.addEventListener('visibilitychange', updateAll, { signal })
    // At different moments for each visitor, or a launch would make all of them ask at once.
    const timer = isLimited
      ? setInterval(() => void update(), LIMITED_RUN_MS * (1 + Math.random()))
      : undefined
    return () => {
      leaving.abort()
      clearInterval(timer)
    }
  }, [isEnabled, isKnown, userId, products, isLimited])

  return useMemo(() => withFetchedStock(products, fetched), [products, fetched])
}

/** Ignores stock that was fetched for earlier products: a launch or a chosen colour has loaded newer stock since. */
export function withFetchedStock<Item extends Product>(
  products: Item[],
  fetched: FetchedStock | null,
): Item[] {
  if (fetched?.products !== products) return products
  return products.map((product) => withStock(product, fetched.available))
}

function withStock<Item extends Product>(product: Item, available: StockByVariant): Item {
  const variants = product.variants.map((variant) => ({
    ...variant,
    available: available.get(variant.id) ?? variant.available,
  }))
  return { ...product, variants }
}
