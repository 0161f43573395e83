import type { ShopClient } from '#database'
import { priceCents } from '#domain/catalogue.ts'
import { deliveryDates } from '#domain/delivery-promise.ts'
import { todayInSouthAfrica } from '#domain/today.ts'
import { formatPrice } from '#domain/money.ts'
import { supabaseContext } from '#server/context.ts'
import { cachedCatalogue } from '../catalogue/cached-catalogue.server.ts'
import { listApprovedCatches } from '../gallery/approved-catches.server.ts'
import { pageMeta } from '../page-meta.ts'
import { productPath } from '../paths.ts'
import { productJsonLd } from '../structured-data/product-json-ld.ts'
import { shop } from '#shop'
import type { Route } from './+types/route'
import { measuredLures } from '../catalogue/measured-lure.ts'
import { redirectFormerAddress } from './redirect-former-address.server.ts'
import { LureCatches } from './lure-catches.tsx'
import { ProductSpread } from './product-spread.tsx'
import { RelatedLures } from './related-lures.tsx'

/** Other products in the size guide and below the product. */
const OTHER_PRODUCTS = 12

/** Reads a fixed number of other products, so the page costs the same for any catalogue size. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const visitor = context.get(supabaseContext)
  const catalogue = cachedCatalogue(context)
  const [product, listed] = await Promise.all([
    catalogue.findProduct(params.slug),
    catalogue.listProducts({ limit: OTHER_PRODUCTS }),
  ])
  const variant = product?.variants.find(({ slug }) => slug === params.colour) ?? null
  if (!product || (params.colour && !variant)) throw await redirectFormerAddress(visitor, params)
  const others = listed.filter(({ id }) => id !== product.id)

  return {
    product,
    variant,
    related: others.slice(0, 3),
    lures: measuredLures(others.length < listed.length ? listed : [...listed, product]),
    catches: await listCatches(visitor, product.id),
    dates: deliveryDates(todayInSouthAfrica(new Date())),
  }
}

/** The page works without catches, so a failure is only logged. */
async function listCatches(visitor: ShopClient, productId: string) {
  try {
    return await listApprovedCatches(visitor, { productId, limit: 6 })
  } catch (error) {
    console.error('the catches of a product did not load', error)
    return []
  }
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (!loaderData) return []
  const { product, variant } = loaderData
  const picture = variant?.picture ?? product.picture
  return pageMeta({
    title: variant ? `${product.name} in ${variant.name}` : product.name,
    description: `${product.description || `${product.name}. ${shop.description}`} From ${formatPrice(priceCents(product, null))}.`,
    path: productPath(product, variant),
    matches,
    picture: picture && { src: picture.url, alt: picture.alt, width: 1200, height: 1200 },
    jsonLd: import.meta.env.SSR
      ? (urlOf, terms) => productJsonLd({ product, variant, terms }, urlOf)
      : undefined,
  })
}

export default function ProductPage({ loaderData }: Route.ComponentProps) {
  const { product, variant, related, lures, catches, dates } = loaderData
  return (
    // The key resets the form for another product; another colour keeps hooks and quantity.
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
