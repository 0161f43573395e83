import type { ProductCells } from './fields.ts'

/** Long enough before a launch to count or make what is missing. `private.low_variants()` uses the same time. */
const NEAR_MS = 2 * 24 * 60 * 60 * 1000

type LaunchCells = Pick<ProductCells, 'publish_at' | 'made_to_order'> & { stock_quantity: number }

/** True when a launch is near and there is nothing to sell. */
export function lacksStockForLaunch(
  { publish_at, made_to_order, stock_quantity }: LaunchCells,
  now: Date,
): boolean {
  if (publish_at === null || made_to_order || stock_quantity > 0) return false
  return Date.parse(publish_at) - now.getTime() < NEAR_MS
}
