import { shop } from '#shop'
import type { Period } from './period.ts'

/** The orders behind a figure: paid in the period, not cancelled since, and what else it counts. */
export function ordersLink({ from, to }: Period, more: Record<string, string> = {}): string {
  const address = new URLSearchParams({ payment: 'earned', paid_from: from, paid_to: to, ...more })
  return `/admin/orders?${address}`
}

const dayAndMonth = new Intl.DateTimeFormat(shop.locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** `2026-11-21` → `21 Nov` */
export function shortDay(day: string): string {
  return day ? dayAndMonth.format(new Date(`${day}T00:00:00Z`)) : ''
}
