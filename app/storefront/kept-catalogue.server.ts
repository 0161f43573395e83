import type { RouterContextProvider } from 'react-router'
import { keepContext, supabaseContext } from '#server/context.ts'
import { describeRange, findProduct, listProducts, type Part } from './catalogue.server.ts'

/** The catalogue as a visitor sees it. Pages that show the same of it get the same objects, which nobody changes. */
export function keptCatalogue(context: Readonly<RouterContextProvider>) {
  const visitor = context.get(supabaseContext)
  const keep = context.get(keepContext)
  return {
    listProducts: (part: Part) =>
      keep(`${part.atMost} lures after ${part.skipped ?? 0}`, () => listProducts(visitor, part)),
    findProduct: (slug: string) => keep(`lure ${slug}`, () => findProduct(visitor, slug)),
    describeRange: () => keep('range', () => describeRange(visitor)),
  }
}
