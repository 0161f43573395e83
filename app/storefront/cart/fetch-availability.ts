import { fetchPublicRows } from '#app/data/fetch-public-rows.ts'
import { lineKey, type CartAvailability, type CartLine, type LineAvailability } from '#domain/cart.ts'
import { centsFromRand } from '#domain/money.ts'

/** Quotes a name for a PostgREST list: names may contain commas and brackets. */
function quote(name: string): string {
  return `"${name.replace(/["\\]/g, '\\$&')}"`
}

/** Reads the public catalogue, live and announced products, without loading the backend's client. */
export async function fetchVisitorAvailability(lines: readonly CartLine[]): Promise<CartAvailability> {
  const products = await fetchOffered(lines)
  return new Map(lines.map((line) => [lineKey(line), availabilityIn(products, line)]))
}

function fetchOffered(lines: readonly CartLine[]) {
  const names = [...new Set(lines.map(({ productName }) => quote(productName)))]
  return fetchPublicRows({
    from: 'products',
    select:
      'name,status,publish_at,price,price_with_hooks,made_to_order,product_variants(id,name),product_availability(variant_id,available)',
    where: { name: `in.(${names.join()})` },
  })
}

type OfferedProducts = Awaited<ReturnType<typeof fetchOffered>>

function availabilityIn(products: OfferedProducts, line: CartLine): LineAvailability {
  const product = products.find(({ name }) => name === line.productName)
  const variant = product?.product_variants.find(({ name }) => name === line.productVariant)
  const price = line.withHooks ? product?.price_with_hooks : product?.price
  const launchAt = product?.status === 'announced' ? product.publish_at : null
  if (!product || !variant || price == null || launchAt) {
    return { priceCents: null, available: 0, isMadeToOrder: false, launchAt }
  }
  return {
    priceCents: centsFromRand(price),
    available:
      product.product_availability.find(({ variant_id }) => variant_id === variant.id)?.available ?? 0,
    isMadeToOrder: product.made_to_order,
    launchAt,
  }
}
