import { askPublicly } from '#app/session/ask-publicly.ts'

/** How many of each colour can be bought at this moment, by variant id. */
export type Availability = ReadonlyMap<string, number>

export async function askAvailability(): Promise<Availability> {
  const rows = await askPublicly<{ variant_id: string; available: number }>(
    'product_availability?select=variant_id,available',
  )
  return new Map(rows.map((row) => [row.variant_id, row.available]))
}
