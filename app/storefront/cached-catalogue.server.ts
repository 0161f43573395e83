import type { RouterContextProvider } from 'react-router'
import { memoiseContext, supabaseContext } from '#server/context.ts'
import { describeCatalogue, findProduct, listProducts, type Part } from './catalogue.server.ts'

/** Returns memoised readers of the catalogue as a visitor sees it. Pages share the objects: do not mutate them. */
export function cachedCatalogue(context: Readonly<RouterContextProvider>) {
  const visitor = context.get(supabaseContext)
  const memoise = context.get(memoiseContext)
  return {
    listProducts: (part: Part) =>
      memoise(`${part.atMost} products after ${part.skipped ?? 0}`, () => listProducts(visitor, part)),
    findProduct: (slug: string) => memoise(`product ${slug}`, () => findProduct(visitor, slug)),
    describeCatalogue: () => memoise('catalogue', () => describeCatalogue(visitor)),
  }
}
