import { fetchPublicRows } from '#app/data/fetch-public-rows.ts'
import {
  lineKey,
  type CartAvailability,
  type CartLine,
  type LineAvailability,
  type LineVariant,
} from '#domain/cart.ts'
import { centsFromRand } from '#domain/money.ts'

/** Quotes a name for a PostgREST list: names may contain commas and brackets. */
function quote(name: string): string {
  return `"${name.replace(/["\\]/g, '\\$&')}"`
}

/** Reads the public catalogue, live and announced products, without loading the backend's client. */
export async function fetchVisitorAvailability(lines: readonly CartLine[]): Promise<CartAvailability> {
  const products = await fetchOffered(lines)
  return new Map(
    lines.flatMap((line) => {
      const availability = availabilityIn(products, line)
      // The line has the second key once it has followed the catalogue.
      return [line, { ...line, ...availability.variant }].map((keyed) => [lineKey(keyed), availability])
    }),
  )
}

function fetchOffered(lines: readonly CartLine[]) {
  const names = new Set(lines.map(({ productName }) => quote(productName)))
  const ids = new Set(lines.flatMap(({ productId }) => productId ?? []))
  const byName = `name.in.(${[...names].join()})`
  return fetchPublicRows({
    from: 'products',
    select:
      'id,name,status,publish_at,price,price_with_hooks,made_to_order,product_variants(id,name),product_availability(variant_id,available)',
    where: { or: ids.size > 0 ? `(${byName},id.in.(${[...ids].join()}))` : `(${byName})` },
  })
}

type OfferedProducts = Awaited<ReturnType<typeof fetchOffered>>

/** By the id of the variant; by its names when the line has none, or the variant was made again under them. */
function findOffered(products: OfferedProducts, line: CartLine) {
  const variants = products.flatMap((product) =>
    product.product_variants.map((variant) => ({ product, variant })),
  )
  return (
    variants.find(({ variant }) => variant.id === line.variantId) ??
    variants.find(
      ({ product, variant }) => product.name === line.productName && variant.name === line.productVariant,
    )
  )
}

function availabilityIn(products: OfferedProducts, line: CartLine): LineAvailability {
  const offered = findOffered(products, line)
  const product = offered?.product ?? products.find(({ name }) => name === line.productName)
  const launchAt = product?.status === 'announced' ? product.publish_at : null
  const price = line.withHooks ? product?.price_with_hooks : product?.price
  const variant = offered && currentVariant(offered)
  if (!product || !variant || price == null || launchAt) {
    return { priceCents: null, available: 0, isMadeToOrder: false, launchAt, variant }
  }
  return {
    priceCents: centsFromRand(price),
    available:
      product.product_availability.find(({ variant_id }) => variant_id === variant.variantId)?.available ?? 0,
    isMadeToOrder: product.made_to_order,
    launchAt,
    variant,
  }
}

function currentVariant({ product, variant }: NonNullable<ReturnType<typeof findOffered>>): LineVariant {
  return {
    productId: product.id,
    variantId: variant.id,
    productName: product.name,
    productVariant: variant.name,
  }
}
