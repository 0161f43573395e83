import { shop } from '#shop'
import type { PromoRules } from './promo-code.ts'

/** Summarises a code: "5% off orders of R1500 or more, once per person, until Sunday". */
export function promoSentence(rules: PromoRules, now = new Date()): string {
  const parts = [
    `${benefit(rules)} ${eligibleOrders(rules)}`,
    timesPerPerson(rules.per_customer_limit),
    timesInAll(rules.usage_limit),
    rules.starts_at && new Date(rules.starts_at) > now && `from ${dayAndTimeText(rules.starts_at, now)}`,
    rules.expires_at && ending(rules.expires_at, now),
  ]
  const sentence = parts.filter(Boolean).join(', ')
  return rules.is_active ? sentence : `${sentence}; turned off`
}

function benefit({ discount_type, discount_value, free_shipping }: PromoRules): string {
  const discount = discount_type === 'percentage' ? `${discount_value}% off` : `${price(discount_value)} off`
  if (!free_shipping) return discount
  return discount_value > 0 ? `${discount} and free shipping on` : 'Free shipping on'
}

function eligibleOrders({ min_order_amount, first_order_only }: PromoRules): string {
  const over = min_order_amount > 0 ? ` of ${price(min_order_amount)} or more` : ''
  if (first_order_only) return `a first order${over}`
  return over ? `orders${over}` : 'any order'
}

function timesPerPerson(limit: number | null): string | null {
  if (limit === null) return null
  return limit === 1 ? 'once per person' : limit === 2 ? 'twice per person' : `${limit} times per person`
}

function timesInAll(limit: number | null): string | null {
  if (limit === null) return null
  return limit === 1 ? 'for one order in all' : `for ${limit} orders in all`
}

function ending(expiresAt: string, now: Date): string {
  // An end at midnight means the end of the previous day.
  const last = isMidnight(expiresAt) ? new Date(Date.parse(expiresAt) - 1).toISOString() : expiresAt
  return new Date(expiresAt) > now
    ? `until ${dayAndTimeText(last, now)}`
    : `ended ${dayAndTimeText(last, now)}`
}

function price(rand: number): string {
  return Number.isInteger(rand) ? `R${rand}` : `R${rand.toFixed(2)}`
}

const DAY_MS = 86_400_000
const zone = { timeZone: shop.timeZone } as const
const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', ...zone })
const date = new Intl.DateTimeFormat('en-CA', zone)
const weekday = new Intl.DateTimeFormat(shop.locale, { weekday: 'long', ...zone })
const dayOfYear = new Intl.DateTimeFormat(shop.locale, { day: 'numeric', month: 'long', ...zone })
const longAgo = new Intl.DateTimeFormat(shop.locale, {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  ...zone,
})

function isMidnight(at: string): boolean {
  return clock.format(new Date(at)) === '00:00'
}

/** Returns "Sunday", "Sunday 18:00" or "24 December": weekdays within a week, the time unless it is the start or end of a day. */
function dayAndTimeText(at: string, now: Date): string {
  const time = clock.format(new Date(at))
  const day = dayText(new Date(at), now)
  return time === '00:00' || time === '23:59' ? day : `${day} ${time}`
}

function dayText(day: Date, now: Date): string {
  const days = (Date.parse(date.format(day)) - Date.parse(date.format(now))) / DAY_MS
  if (days === -1) return 'yesterday'
  if (days === 0) return 'today'
  if (days === 1) return 'tomorrow'
  if (days > 1 && days < 7) return weekday.format(day)
  const isThisYear = date.format(day).slice(0, 4) === date.format(now).slice(0, 4)
  return isThisYear ? dayOfYear.format(day) : longAgo.format(day)
}
