import type { Returns } from '#database'
import { centsFromRand } from '#domain/money.ts'
import { addDays } from '#domain/public-holidays.ts'

export const PERIOD_DAYS = [7, 30, 90, 365] as const
export type PeriodDays = (typeof PERIOD_DAYS)[number]

/** Two days in the shop's calendar, `2026-11-21`; both count. */
export interface Period {
  from: string
  to: string
}

/** So many days up to and with today, and as many before them. */
export function periodsOf(days: PeriodDays, today: string): { now: Period; before: Period } {
  const from = addDays(today, 1 - days)
  return { now: { from, to: today }, before: { from: addDays(from, -days), to: addDays(from, -1) } }
}

/** A row of `sales_by_day`, in rand. Revenue is net: a day on which more went back than came in is negative. */
export type DayOfSales = Returns<'sales_by_day'>[number]

export interface Sales extends Period {
  orders: number
  revenueCents: number
  refundCents: number
}

export function salesOf(days: readonly DayOfSales[]): Sales {
  return {
    from: days[0]?.day ?? '',
    to: days.at(-1)?.day ?? '',
    orders: days.reduce((sum, { orders }) => sum + orders, 0),
    revenueCents: days.reduce((sum, { revenue }) => sum + centsFromRand(revenue), 0),
    refundCents: days.reduce((sum, { refunds }) => sum + centsFromRand(refunds), 0),
  }
}

/** Refunds count: they may be all that happened in a period. */
export function hasSales({ orders, revenueCents, refundCents }: Sales): boolean {
  return orders > 0 || revenueCents !== 0 || refundCents !== 0
}

export function averageCents({ orders, revenueCents }: Sales): number {
  return orders === 0 ? 0 : Math.round(revenueCents / orders)
}

/** Days, weeks or months: at most about thirty bars. The newest is whole, the oldest what is left. */
export function barsOf(days: readonly DayOfSales[]): Sales[] {
  const length = days.length <= 31 ? 1 : days.length <= 100 ? 7 : 30
  const bars: Sales[] = []
  for (let end = days.length; end > 0; end -= length) {
    bars.unshift(salesOf(days.slice(Math.max(0, end - length), end)))
  }
  return bars
}

/** `+12 %`; no share against nothing, or against a period that lost money. */
export function changeText(now: number, before: number): string | null {
  if (before <= 0) return null
  const percent = Math.round(((now - before) / before) * 100)
  return `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${Math.abs(percent)} %`
}
