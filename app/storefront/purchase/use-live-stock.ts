import { useEffect, useMemo, useState } from 'react'
import type { Product } from '#domain/catalogue.ts'
import { fetchStock, type StockByVariant } from './fetch-stock.ts'

/** Half of the longest time between two looks at the stock of a limited run. */
const LIMITED_RUN_MS = 8000

/**
 * Returns the products with the current stock. Pages are cached and tabs stay open, so the rendered stock may be stale: fetches
 * it after hydration and whenever the tab becomes visible, once `isEnabled` is true. The stock of a limited run is fetched again
 * every few seconds while the tab is visible.
 */
export function useLiveStock<Item extends Product>(products: Item[], { isEnabled = true } = {}): Item[] {
  const ids = products.map(({ id }) => id).join()
  const isLimited = products.some(({ showsStock, launchAt }) => showsStock && launchAt === null)
  const [available, setAvailable] = useState<StockByVariant | null>(null)

  useEffect(() => {
    if (!isEnabled || !ids) return
    const update = () => {
      if (document.visibilityState !== 'visible') return
      // On failure the rendered stock stays; the cart and the database check again.
      fetchStock(ids).then(setAvailable, (error: unknown) => console.error('the stock did not load', error))
    }
    update()
    document.addEventListener('visibilitychange', update)
    // At different moments for each visitor, or a launch would make all of them ask at once.
    const timer = isLimited ? setInterval(update, LIMITED_RUN_MS * (1 + Math.random())) : undefined
    return () => {
      document.removeEventListener('visibilitychange', update)
      clearInterval(timer)
    }
  }, [isEnabled, ids, isLimited])

  return useMemo(
    () => (available ? products.map((product) => withStock(product, available)) : products),
    [products, available],
  )
}

function withStock<Item extends Product>(product: Item, available: StockByVariant): Item {
  const variants = product.variants.map((variant) => ({
    ...variant,
    available: available.get(variant.id) ?? variant.available,
  }))
  return { ...product, variants }
}
