import type { ShopClient, Tables } from '#database'
import { productPath } from '../paths.ts'

/** A page for search engines. */
export interface SitemapEntry {
  path: string
  /** The last change of its content, if known. */
  changedAt?: string
  picture?: string | null
}

/** Pages whose content changes only with a release. */
const STATIC_PAGES = [
  '/about',
  '/contact',
  '/faq',
  '/size-guide',
  '/shipping-returns',
  '/terms-of-service',
  '/privacy-policy',
  '/cookie-policy',
]

/** The API's limit of rows per response. */
const BATCH_SIZE = 1000

type Listed<Name extends 'products' | 'product_variants'> = Pick<
  Tables<Name>,
  'slug' | 'image_url' | 'updated_at'
>
type ListedProduct = Listed<'products'> & { product_variants: Listed<'product_variants'>[] }

export async function listSitemapEntries(visitor: ShopClient): Promise<SitemapEntry[]> {
  const products = await listAllProducts(visitor)
  const productEntries = products.flatMap(entriesOf)
  const newest = latest(productEntries.flatMap(({ changedAt }) => changedAt ?? []))
  return [
    ...['/', '/products', '/collections'].map((path) => ({ path, ...(newest && { changedAt: newest }) })),
    ...productEntries,
    { path: '/gallery' },
    ...STATIC_PAGES.map((path) => ({ path })),
  ]
}

/** Reads all live and announced products in batches. */
async function listAllProducts(visitor: ShopClient): Promise<ListedProduct[]> {
  const rows: ListedProduct[] = []
  for (;;) {
    // Only a full batch can have a successor.
    // oxlint-disable-next-line no-await-in-loop
    const { data, error } = await visitor
      .from('products')
      .select('slug, image_url, updated_at, product_variants(slug, image_url, updated_at)')
      .in('status', ['live', 'announced'])
      .order('position')
      .order('id')
      .range(rows.length, rows.length + BATCH_SIZE - 1)
    if (error) throw error

    rows.push(...data)
    if (data.length < BATCH_SIZE) return rows
  }
}

/** A product's page shows all its colours, so it changes with the latest of them. */
function entriesOf(product: ListedProduct): SitemapEntry[] {
  const colours = product.product_variants.map((variant) => ({
    path: productPath(product, variant),
    changedAt: latest([product.updated_at, variant.updated_at]) ?? product.updated_at,
    picture: variant.image_url,
  }))
  const changedAt = latest([product.updated_at, ...colours.map((colour) => colour.changedAt)])
  return [
    { path: productPath(product), changedAt: changedAt ?? product.updated_at, picture: product.image_url },
    ...colours,
  ]
}

function latest(times: string[]): string | undefined {
  return times.toSorted((one, other) => Date.parse(one) - Date.parse(other)).at(-1)
}
