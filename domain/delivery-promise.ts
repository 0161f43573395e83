import { shop } from '#shop'
import { addDays, isWorkingDay, weekday } from './public-holidays.ts'
import { todayInSouthAfrica } from './today.ts'

/** The first and the last day on which a parcel may arrive. */
export interface DeliveryWindow {
  from: string
  to: string
}

/** In working days, the shortest and the longest. */
type Span = readonly [number, number]

interface Pace {
  making: Span
  packing: Span
  carrying: Span
  /** Days on which neither workshop nor courier works, besides public holidays. */
  closedOn: readonly string[]
}

const shopPace: Pace = {
  making: shop.shipping.makingDays,
  packing: shop.shipping.processingDays,
  carrying: shop.shipping.deliveryDays,
  closedOn: shop.shipping.closedOn,
}

/** When an order of `today` arrives. The day of the order does not count: it may be evening. */
export function deliveryWindow(
  today: string,
  { isMadeToOrder = false, pace = shopPace }: { isMadeToOrder?: boolean; pace?: Pace } = {},
): DeliveryWindow {
  const stages = [...(isMadeToOrder ? [pace.making] : []), pace.packing, pace.carrying]
  const sum = (pick: 0 | 1) => stages.reduce((days, stage) => days + stage[pick], 0)
  return {
    from: workingDaysAfter(today, sum(0), pace.closedOn),
    to: workingDaysAfter(today, sum(1), pace.closedOn),
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

/** What a page says of delivery, in words. */
export interface DeliveryDates {
  /** The day from which they are counted. */
  countedFrom: string
  onShelf: string
  madeToOrder: string
}

export function deliveryDates(now: Date): DeliveryDates {
  const today = todayInSouthAfrica(now)
  return {
    countedFrom: today,
    onShelf: windowText(deliveryWindow(today)),
    madeToOrder: windowText(deliveryWindow(today, { isMadeToOrder: true })),
  }
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * `Tue 12 – Thu 14 May`, and both months where they differ. Not by `Intl`: server and browser must write the same, and their
 * tables differ.
 */
export function windowText({ from, to }: DeliveryWindow): string {
  if (from === to) return dayText(from)
  const start = from.slice(0, 7) === to.slice(0, 7) ? dayText(from).slice(0, -4) : dayText(from)
  return `${start} – ${dayText(to)}`
}

function dayText(day: string): string {
  const month = MONTHS[Number(day.slice(5, 7)) - 1]
  return `${WEEKDAYS[weekday(day)]} ${Number(day.slice(8))} ${month}`
}
