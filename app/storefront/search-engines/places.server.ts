import type { ShopClient } from '#database'
import { z } from 'zod'
import { productPath } from '../paths.ts'

/** A page that may be found by search engines. */
export interface Place {
  path: string
  /** When what it shows last changed; left out where nothing says so. */
  changedAt?: string
  picture?: string | null
}

/** Pages whose words change with a new version of the shop only. */
const WORDS = [
  '/about',
  '/contact',
  '/faq',
  '/size-guide',
  '/shipping-returns',
  '/terms-of-service',
  '/privacy-policy',
  '/cookie-policy',
]

const IN_ONE_ANSWER = 1000

const lureRow = z.object({
  slug: z.string(),
  image_url: z.string().nullable(),
  updated_at: z.iso.datetime({ offset: true }),
  product_variants: z.array(
    z.object({
      slug: z.string(),
      image_url: z.string().nullable(),
      updated_at: z.iso.datetime({ offset: true }),
    }),
  ),
})

export async function listPlaces(visitor: ShopClient): Promise<Place[]> {
  const lures = await listLures(visitor)
  const lurePlaces = lures.flatMap(placesOf)
  const newest = latest(lurePlaces.flatMap(({ changedAt }) => changedAt ?? []))
  return [
    ...['/', '/products', '/collections'].map((path) => ({ path, ...(newest && { changedAt: newest }) })),
    ...lurePlaces,
    { path: '/gallery' },
    ...WORDS.map((path) => ({ path })),
  ]
}

/** All of them, whatever one answer of the API holds. */
async function listLures(visitor: ShopClient): Promise<z.infer<typeof lureRow>[]> {
  const lures: z.infer<typeof lureRow>[] = []
  for (;;) {
    // One answer tells whether there is a next.
    // oxlint-disable-next-line no-await-in-loop
    const { data, error } = await visitor
      .from('products')
      .select('slug, image_url, updated_at, product_variants(slug, image_url, updated_at)')
      .eq('status', 'live')
      .order('position')
      .order('id')
      .range(lures.length, lures.length + IN_ONE_ANSWER - 1)
    if (error) throw error

    lures.push(...lureRow.array().parse(data))
    if (data.length < IN_ONE_ANSWER) return lures
  }
}

/** A lure's own page shows all its colours, so it is as young as the youngest of them. */
function placesOf(lure: z.infer<typeof lureRow>): Place[] {
  const colours = lure.product_variants.map((variant) => ({
    path: productPath(lure, variant),
    changedAt: latest([lure.updated_at, variant.updated_at]) ?? lure.updated_at,
    picture: variant.image_url,
  }))
  const changedAt = latest([lure.updated_at, ...colours.map((colour) => colour.changedAt)])
  return [
    { path: productPath(lure), changedAt: changedAt ?? lure.updated_at, picture: lure.image_url },
    ...colours,
  ]
}

function latest(times: string[]): string | undefined {
  return times.toSorted((one, other) => Date.parse(one) - Date.parse(other)).at(-1)
}
