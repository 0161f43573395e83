import type { ShopClient } from '#database'
import { deliveryDates } from '#domain/delivery-promise.ts'
import { formatPrice } from '#domain/money.ts'
import { supabaseContext } from '#server/context.ts'
import { cachedCatalogue } from '../cached-catalogue.server.ts'
import { listApprovedCatches } from '../gallery/approved-catches.server.ts'
import { pageMeta } from '../page-meta.ts'
import { productPath } from '../paths.ts'
import { describedLure } from '../search-engines/product-group.ts'
import { shop } from '#shop'
import type { Route } from './+types/route'
import { measuredLures } from '../size-guide/measured-lure.ts'
import { elsewhere } from './elsewhere.server.ts'
import { LureCatches } from './lure-catches.tsx'
import { ProductSpread } from './product-spread.tsx'
import { RelatedLures } from './related-lures.tsx'

/** So many lures stand beside the one that is looked at: in its size guide, and some of them below it. */
const BESIDE = 12

/** The range is read only as far as it is shown, so the page costs the same among three lures and among three thousand. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const visitor = context.get(supabaseContext)
  const catalogue = cachedCatalogue(context)
  const [product, range] = await Promise.all([
    catalogue.findProduct(params.slug),
    catalogue.listProducts({ atMost: BESIDE }),
  ])
  const variant = product?.variants.find(({ slug }) => slug === params.colour) ?? null
  if (!product || (params.colour && !variant)) throw await elsewhere(visitor, params)
  const others = range.filter(({ id }) => id !== product.id)

  return {
    product,
    variant,
    related: others.slice(0, 3),
    lures: measuredLures(others.length < range.length ? range : [...range, product]),
    catches: await listCatches(visitor, product.id),
    dates: deliveryDates(new Date()),
  }
}

/** Welcome, not needed: a lure is sold without them. */
async function listCatches(visitor: ShopClient, productId: string) {
  try {
    return await listApprovedCatches(visitor, { productId, atMost: 6 })
  } catch (error) {
    console.error('the catches of a lure could not be loaded', error)
    return []
  }
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (!loaderData) return []
  const { product, variant } = loaderData
  const picture = variant?.picture ?? product.picture
  return pageMeta({
    title: variant ? `${product.name} in ${variant.name}` : product.name,
    description: `${product.description || `${product.name}. ${shop.description}`} From ${formatPrice(product.priceCents)}.`,
    path: productPath(product, variant),
    matches,
    picture: picture && { src: picture.url, alt: picture.alt, width: 1200, height: 1200 },
    described: import.meta.env.SSR
      ? (urlOf, terms) => describedLure({ product, variant, terms }, urlOf)
      : undefined,
  })
}

export default function ProductPage({ loaderData }: Route.ComponentProps) {
  const { product, variant, related, lures, catches, dates } = loaderData
  return (
    // Another lure is another form; another colour of the same keeps hooks and quantity.
    <ProductSpread
      key={product.id}
      product={product}
      variantId={variant?.id ?? null}
      dates={dates}
      lures={lures}
    >
      <LureCatches catches={catches} />
      <RelatedLures products={related} />
    </ProductSpread>
  )
}
