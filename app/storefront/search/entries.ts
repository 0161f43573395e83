import { askPublicly } from '#app/session/ask-publicly.ts'
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

interface LureRow {
  name: string
  slug: string
  category: string | null
  product_variants: { name: string; slug: string; position: number }[]
}

const LURES =
  'products?select=name,slug,category,product_variants(name,slug,position)&status=eq.live&order=position'

let asking: Promise<Entry[]> | null = null

/** Lures, their colours and the pages. Asked for once; an answer that did not come is asked for again. */
export function loadEntries(): Promise<Entry[]> {
  asking ??= askPublicly<LureRow>(LURES).then(
    (lures) => [...lures.flatMap(entriesOf), ...pages],
    (error: unknown) => {
      asking = null
      throw error
    },
  )
  return asking
}

export { pages }

function entriesOf(lure: LureRow): Entry[] {
  const colours = lure.product_variants
    .toSorted((one, other) => one.position - other.position)
    .map((colour) => ({
      title: colour.name,
      kind: lure.name,
      path: productPath(lure, colour),
      words: `${lure.name} ${lure.category ?? ''}`,
    }))
  return [
    { title: lure.name, kind: lure.category ?? 'Lure', path: productPath(lure), words: 'lure' },
    ...colours,
  ]
}

export function textOf({ title, kind, words }: Entry): string {
  return `${title} ${kind} ${words}`
}
