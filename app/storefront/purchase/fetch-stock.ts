import { fetchPublicRows } from '#app/data/fetch-public-rows.ts'

/** The available quantity by variant id. */
export type StockByVariant = ReadonlyMap<string, number>

/** `productIds` is comma-separated. */
export async function fetchStock(productIds: string): Promise<StockByVariant> {
  const rows = await fetchPublicRows({
    from: 'product_availability',
    select: 'variant_id,available',
    where: { product_id: `in.(${productIds})` },
  })
  return new Map(rows.map((row) => [row.variant_id, row.available]))
}
