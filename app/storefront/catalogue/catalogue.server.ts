import type { ShopClient } from '#database'
import type { CatalogueSummary, Product } from '#domain/catalogue.ts'
import { centsFromRand } from '#domain/money.ts'
import type { CatalogueFilter } from '#domain/catalogue-filter.ts'
import { z } from '#domain/validation/schema.ts'
import { PRODUCT_COLUMNS, productFrom, productRow } from './product-row.ts'

const listedRow = z.object({
  ...productRow.shape,
  product_availability: z.array(z.object({ variant_id: z.string(), available: z.number() })),
})

export interface Slice {
  limit: number
  offset?: number
}

/** Returns live and announced products in the shop's order. */
export async function listProducts(supabase: ShopClient, { limit, offset = 0 }: Slice): Promise<Product[]> {
  const { data } = await listedProducts(supabase)
    .order('position')
    .order('created_at', { ascending: false })
    .order('id')
    .range(offset, offset + limit - 1)
    .throwOnError()
  return productsFrom(data)
}

export async function findProduct(supabase: ShopClient, slug: string): Promise<Product | null> {
  const { data } = await listedProducts(supabase).eq('slug', slug).throwOnError()
  const [product] = productsFrom(data)
  return product ?? null
}

interface SearchOptions extends Partial<CatalogueFilter>, Slice {
  query?: string
}

/** Returns the products that match a search and a filter, and how many match in total. */
export async function findProducts(
  supabase: ShopClient,
  { query = '', limit, offset = 0, ...filter }: SearchOptions,
): Promise<{ count: number; products: Product[] }> {
  const { data: result } = await supabase
    .rpc(
      'search_products',
      {
        term: query,
        kind: filter.type ?? undefined,
        length_mm: filter.lengthMm ?? undefined,
        weight_grams: filter.weightGrams ?? undefined,
        max_price: filter.maxPriceRand ?? undefined,
        in_stock: filter.isInStock,
        skipped: offset,
        at_most: limit,
      },
      { get: true },
    )
    .throwOnError()
  const { count, ids } = z.object({ count: z.number(), ids: z.array(z.string()) }).parse(result)
  if (ids.length === 0) return { count, products: [] }

  const { data } = await listedProducts(supabase).in('id', ids).throwOnError()
  const products = productsFrom(data).toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
  return { count, products }
}

const summaryRow = z.object({
  lures: z.number(),
  kinds: z.array(
    z.object({
      kind: z.string(),
      lures: z.number(),
      from_price: z.number(),
      lengths_mm: z.array(z.number()),
    }),
  ),
  lengths_mm: z.array(z.number()),
  weights_grams: z.array(z.number()),
  prices: z.array(z.number()),
})

/** Returns the categories and filter values of all listed products. */
export async function describeCatalogue(supabase: ShopClient): Promise<CatalogueSummary> {
  const { data } = await supabase.rpc('catalogue_filters', undefined, { get: true }).throwOnError()
  const summary = summaryRow.parse(data)
  return {
    productCount: summary.lures,
    categories: summary.kinds.map(({ kind, lures, from_price, lengths_mm }) => ({
      name: kind,
      productCount: lures,
      fromCents: centsFromRand(from_price),
      lengthsMm: lengths_mm,
    })),
    lengthsMm: summary.lengths_mm,
    weightsGrams: summary.weights_grams,
    pricesCents: summary.prices.map(centsFromRand),
  }
}

function listedProducts(supabase: ShopClient) {
  return supabase
    .from('products')
    .select(`${PRODUCT_COLUMNS}, product_availability(variant_id, available)`)
    .in('status', ['live', 'announced'])
}

function productsFrom(rows: unknown): Product[] {
  return z
    .array(listedRow)
    .parse(rows)
    .map((row) =>
      productFrom(row, new Map(row.product_availability.map((stock) => [stock.variant_id, stock.available]))),
    )
}
