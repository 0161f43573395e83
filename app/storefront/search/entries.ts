import type { Returns } from '#database'
import { callPublicFunction } from '#app/data/fetch-public-rows.ts'
import { productPath } from '../paths.ts'

export interface SearchEntry {
  title: string
  /** `Page`, a category or a product name. */
  type: string
  path: string
  /** Additional search terms. */
  keywords: string
}

const page = (title: string, path: string, keywords: string): SearchEntry => ({
  title,
  path,
  keywords,
  type: 'Page',
})

const pages: SearchEntry[] = [
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

type SuggestionRow = Returns<'suggest_products'>[number]

/** More than are shown, so that the browser can rank them. */
export const MAX_SUGGESTIONS = 40

/** Returns products and colours that match, and all pages. */
export async function findEntries(query: string): Promise<SearchEntry[]> {
  const rows = await callPublicFunction('suggest_products', { term: query, at_most: MAX_SUGGESTIONS })
  return [...rows.map(entryOf), ...pages]
}

export { pages }

function entryOf({ slug, name, category, colour_slug, colour }: SuggestionRow): SearchEntry {
  if (!colour || !colour_slug) {
    return { title: name, type: category || 'Lure', path: productPath({ slug }), keywords: 'lure' }
  }
  const path = productPath({ slug }, { slug: colour_slug })
  return { title: colour, type: name, path, keywords: `${name} ${category ?? ''}` }
}

export function searchText({ title, type, keywords }: SearchEntry): string {
  return `${title} ${type} ${keywords}`
}
