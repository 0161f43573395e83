import { shop } from '#shop'
import type { Period } from './period.ts'

/** The URL of the orders that were paid in the period and not cancelled, with further filters. */
export function ordersLink({ from, to }: Period, filters: Record<string, string> = {}): string {
  const query = new URLSearchParams({ payment: 'earned', paid_from: from, paid_to: to, ...filters })
  return `/admin/orders?${query}`
}

const dayAndMonth = new Intl.DateTimeFormat(shop.locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** `2026-11-21` → `21 Nov` */
export function shortDay(day: string): string {
  return day ? dayAndMonth.format(new Date(`${day}T00:00:00Z`)) : ''
}
