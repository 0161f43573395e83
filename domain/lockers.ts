/** A parcel locker of the shop's courier. */
export interface Locker {
  /** The terminal code that goes onto the waybill. */
  code: string
  name: string
  /** Street and suburb. */
  address: string
  town: string
  postalCode: string
  /** Degrees; `null` where the courier does not say. */
  position: Position | null
}

export interface Position {
  latitude: number
  longitude: number
}

/**
 * The list as it is kept and sent (`assets/lockers.json`): rows instead of objects, because the names of the fields would be
 * half of what a phone downloads.
 */
export interface LockerList {
  /** The day it was taken over from the courier. */
  asOf: string
  rows: LockerRow[]
}

export type LockerRow = [
  code: string,
  name: string,
  address: string,
  town: string,
  postalCode: string,
  latitude: number | null,
  longitude: number | null,
]

export function lockersFrom({ rows }: LockerList): Locker[] {
  return rows.map(([code, name, address, town, postalCode, latitude, longitude]) => ({
    code,
    name,
    address,
    town,
    postalCode,
    position: latitude === null || longitude === null ? null : { latitude, longitude },
  }))
}

/** What the order, its mails and the waybill say: `CG54 Sasol Rivonia Uplifted, 375 Rivonia Rd, Rivonia, Sandton, 2191`. */
export function lockerText({ code, name, address, town, postalCode }: Locker): string {
  return `${code} ${[name, address, town, postalCode].filter(Boolean).join(', ')}`
}

/** Those in which every typed word begins a word: of the code, the name, the street, the suburb, the town or the postal code. */
export function findLockers(lockers: readonly Locker[], query: string): Locker[] {
  const words = wordsOf(query)
  if (words.length === 0) return []
  return lockers.filter((locker) => {
    const known = wordsOf(lockerText(locker))
    return words.every((word) => known.some((other) => other.startsWith(word)))
  })
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

export interface LockerNearby {
  locker: Locker
  kilometres: number
}

/** The nearest first, none further than somebody would drive for a parcel. */
export function lockersNear(
  lockers: readonly Locker[],
  here: Position,
  withinKilometres = 60,
): LockerNearby[] {
  return lockers
    .flatMap((locker) =>
      locker.position ? [{ locker, kilometres: kilometresBetween(here, locker.position) }] : [],
    )
    .filter(({ kilometres }) => kilometres <= withinKilometres)
    .toSorted((one, other) => one.kilometres - other.kilometres)
}

const EARTH_RADIUS_KM = 6371

/** As the crow flies (haversine). */
function kilometresBetween(a: Position, b: Position): number {
  const rad = Math.PI / 180
  const north = Math.sin(((b.latitude - a.latitude) * rad) / 2) ** 2
  const east = Math.sin(((b.longitude - a.longitude) * rad) / 2) ** 2
  const h = north + Math.cos(a.latitude * rad) * Math.cos(b.latitude * rad) * east
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(h))
}
