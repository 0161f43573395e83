import { shop } from '#shop'
import { addDays, isWorkingDay, weekday } from './public-holidays.ts'
import { MONTHS, WEEKDAYS } from './today.ts'

/** The first and the last day on which a parcel may arrive, as ISO dates. */
export interface DeliveryWindow {
  from: string
  to: string
}

/** Shortest and longest duration in working days. */
type Span = readonly [number, number]

interface LeadTimes {
  production: Span
  packing: Span
  transit: Span
  /** ISO dates without work, besides weekends and public holidays. */
  closedOn: readonly string[]
}

const shopLeadTimes: LeadTimes = {
  production: shop.shipping.makingDays,
  packing: shop.shipping.processingDays,
  transit: shop.shipping.deliveryDays,
  closedOn: shop.shipping.closedOn,
}

/** Returns when an order placed today arrives. Today does not count, because the order may come in the evening. */
export function deliveryWindow(
  today: string,
  {
    isMadeToOrder = false,
    leadTimes = shopLeadTimes,
  }: { isMadeToOrder?: boolean; leadTimes?: LeadTimes } = {},
): DeliveryWindow {
  const { production, packing, transit, closedOn } = leadTimes
  const stages = [...(isMadeToOrder ? [production] : []), packing, transit]
  const sum = (pick: 0 | 1) => stages.reduce((days, stage) => days + stage[pick], 0)
  return {
    from: workingDaysAfter(today, sum(0), closedOn),
    to: workingDaysAfter(today, sum(1), closedOn),
  }
}

function workingDaysAfter(start: string, count: number, closedOn: readonly string[]): string {
  let day = start
  for (let left = count; left > 0;) {
    day = addDays(day, 1)
    if (isWorkingDay(day, closedOn)) left -= 1
  }
  return day
}

/** Delivery windows as text. */
export interface DeliveryDates {
  /** ISO date. */
  countedFrom: string
  onShelf: string
  madeToOrder: string
}

/** Returns the windows of an order that is placed `today`, an ISO date. */
export function deliveryDates(today: string): DeliveryDates {
  return {
    countedFrom: today,
    onShelf: windowText(deliveryWindow(today)),
    madeToOrder: windowText(deliveryWindow(today, { isMadeToOrder: true })),
  }
}

/** `Tue 12 – Thu 14 May`, or with both months where they differ. */
export function windowText({ from, to }: DeliveryWindow): string {
  if (from === to) return dayText(from)
  const start = from.slice(0, 7) === to.slice(0, 7) ? dayText(from).slice(0, -4) : dayText(from)
  return `${start} – ${dayText(to)}`
}

function dayText(day: string): string {
  const month = MONTHS[Number(day.slice(5, 7)) - 1]?.slice(0, 3)
  return `${WEEKDAYS[weekday(day)]?.slice(0, 3)} ${Number(day.slice(8))} ${month}`
}
