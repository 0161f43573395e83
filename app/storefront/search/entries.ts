import type { Returns } from '#database'
import { fetchPublicRows } from '#app/session/fetch-public-rows.ts'
import { productPath } from '../paths.ts'

/** Something the search can lead to. */
export interface Entry {
  title: string
  /** What it is, in a word or a name. */
  kind: string
  path: string
  /** What else it may be asked for by. */
  words: string
}

const page = (title: string, path: string, words: string): Entry => ({ title, path, words, kind: 'Page' })

const pages: Entry[] = [
  page(
    'Shipping & Returns',
    '/shipping-returns',
    'delivery courier locker door cost postage send back refund exchange',
  ),
  page('Size Guide', '/size-guide', 'length weight small medium large mm grams'),
  page('FAQ', '/faq', 'questions answers help how hooks payment order'),
  page('Contact', '/contact', 'phone whatsapp email message address hours write'),
  page('About Us', '/about', 'brothers workshop story handmade who'),
  page('Gallery', '/gallery', 'photos catches fish pictures submit'),
  page('Products', '/products', 'range lures shop all'),
  page('Collections', '/collections', 'categories'),
  page('Terms of Service', '/terms-of-service', 'conditions law cancel'),
  page('Privacy Policy', '/privacy-policy', 'popia personal information data'),
  page('Cookie Policy', '/cookie-policy', 'storage tracking'),
]

type LureRow = Returns<'suggest_products'>[number]

/** More than are shown, so that the best of them can be. */
export const ASKED_FOR = 40

/** Lures and colours that answer, and the pages. */
export async function findEntries(query: string): Promise<Entry[]> {
  const lures = await fetchPublicRows<LureRow>(
    `rpc/suggest_products?at_most=${ASKED_FOR}&term=${encodeURIComponent(query)}`,
  )
  return [...lures.map(entryOf), ...pages]
}

export { pages }

function entryOf({ slug, name, category, colour_slug, colour }: LureRow): Entry {
  if (!colour || !colour_slug) {
    return { title: name, kind: category || 'Lure', path: productPath({ slug }), words: 'lure' }
  }
  const path = productPath({ slug }, { slug: colour_slug })
  return { title: colour, kind: name, path, words: `${name} ${category ?? ''}` }
}

export function textOf({ title, kind, words }: Entry): string {
  return `${title} ${kind} ${words}`
}
