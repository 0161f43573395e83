import type { Returns } from '#database'
import { centsFromRand } from '#domain/money.ts'
import { addDays } from '#domain/public-holidays.ts'

export const PERIOD_DAYS = [7, 30, 90, 365] as const
export type PeriodDays = (typeof PERIOD_DAYS)[number]

/** First and last day in the shop's time zone, inclusive: `2026-11-21`. */
export interface Period {
  from: string
  to: string
}

/** The last `days` days including today, and the same number of days before. */
export function periodsOf(days: PeriodDays, today: string): { now: Period; before: Period } {
  const from = addDays(today, 1 - days)
  return { now: { from, to: today }, before: { from: addDays(from, -days), to: addDays(from, -1) } }
}

/** Amounts in rand. Revenue is net of refunds, so it can be negative. */
export type DayOfSales = Returns<'sales_by_day'>[number]

export interface Sales extends Period {
  orders: number
  revenueCents: number
  refundCents: number
}

export function sumSales(days: readonly DayOfSales[]): Sales {
  return {
    from: days[0]?.day ?? '',
    to: days.at(-1)?.day ?? '',
    orders: days.reduce((sum, { orders }) => sum + orders, 0),
    revenueCents: days.reduce((sum, { revenue }) => sum + centsFromRand(revenue), 0),
    refundCents: days.reduce((sum, { refunds }) => sum + centsFromRand(refunds), 0),
  }
}

/** A period with only refunds also counts. */
export function hasSales({ orders, revenueCents, refundCents }: Sales): boolean {
  return orders > 0 || revenueCents !== 0 || refundCents !== 0
}

export function averageCents({ orders, revenueCents }: Sales): number {
  return orders === 0 ? 0 : Math.round(revenueCents / orders)
}

/** Groups days into days, weeks or thirty-day spans, at most 31 bars. Only the oldest bar may be shorter. */
export function groupIntoBars(days: readonly DayOfSales[]): Sales[] {
  const length = days.length <= 31 ? 1 : days.length <= 100 ? 7 : 30
  const bars: Sales[] = []
  for (let end = days.length; end > 0; end -= length) {
    bars.unshift(sumSales(days.slice(Math.max(0, end - length), end)))
  }
  return bars
}

/** `+12 %`; null when the earlier value is zero or negative. */
export function changeText(now: number, before: number): string | null {
  if (before <= 0) return null
  const percent = Math.round(((now - before) / before) * 100)
  return `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${Math.abs(percent)} %`
}
