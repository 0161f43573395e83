import type { Tables } from '#database'
import { fetchPublicRows } from '#app/session/fetch-public-rows.ts'

/** How many of each colour of some lures can be bought at this moment, by variant id. The lures' ids are parted by commas. */
export type Availability = ReadonlyMap<string, number>

export async function askAvailability(productIds: string): Promise<Availability> {
  const rows = await fetchPublicRows<Pick<Tables<'product_availability'>, 'variant_id' | 'available'>>(
    `product_availability?select=variant_id,available&product_id=in.(${productIds})`,
  )
  return new Map(rows.map((row) => [row.variant_id, row.available]))
}
