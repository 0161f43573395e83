import { queryBackend } from '#app/data/query-backend.ts'
import type { StockByVariant } from './fetch-stock.ts'

/** The units that the customer's own unpaid order keeps from everyone: placing again replaces it, so the customer can buy them. */
export async function fetchOwnReservations(): Promise<StockByVariant> {
  const rows = await queryBackend((backend) => backend.rpc('own_reservations', undefined, { get: true }))
  return new Map(rows.map((row) => [row.variant_id, row.quantity]))
}
