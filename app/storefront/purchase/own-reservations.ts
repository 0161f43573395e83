import { queryBackend } from '#app/data/query-backend.ts'
import type { StockByVariant } from './fetch-stock.ts'

/** Adds the customer's own reserved units to the stock that everyone can buy. */
export type AddOwnReservations = (available: StockByVariant) => StockByVariant

/**
 * Reads the units that the customer's own unpaid order keeps from everyone: placing again replaces it, so the customer can buy them. Never
 * rejects: on failure, the customer sees the stock that everyone sees.
 */
export async function loadOwnReservations(): Promise<AddOwnReservations> {
  try {
    const own = await fetchOwnReservations()
    return (available) => withOwnReservations(available, own)
  } catch (error) {
    console.error('the own reservations did not load', error)
    return (available) => available
  }
}

export async function fetchOwnReservations(): Promise<StockByVariant> {
  const rows = await queryBackend((backend) => backend.rpc('own_reservations', undefined, { get: true }))
  return new Map(rows.map((row) => [row.variant_id, row.quantity]))
}

export function withOwnReservations(available: StockByVariant, own: StockByVariant): StockByVariant {
  return new Map([...available].map(([id, quantity]) => [id, quantity + (own.get(id) ?? 0)]))
}
