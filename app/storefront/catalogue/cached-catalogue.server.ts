import type { RouterContextProvider } from 'react-router'
import { memoiseContext, supabaseContext } from '#server/context.ts'
import { describeCatalogue, findProduct, listProducts, type Slice } from './catalogue.server.ts'

/** Returns memoised readers of the catalogue as a visitor sees it. Pages share the objects: do not mutate them. */
export function cachedCatalogue(context: Readonly<RouterContextProvider>) {
  const visitor = context.get(supabaseContext)
  const memoise = context.get(memoiseContext)
  return {
    listProducts: (slice: Slice) =>
      memoise(`${slice.limit} products after ${slice.offset ?? 0}`, () => listProducts(visitor, slice)),
    findProduct: (slug: string) => memoise(`product ${slug}`, () => findProduct(visitor, slug)),
    describeCatalogue: () => memoise('catalogue', () => describeCatalogue(visitor)),
  }
}
