/** A parcel locker of the shop's courier. */
export interface Locker {
  /** The courier's terminal code, for the waybill. */
  code: string
  name: string
  /** Street and suburb. */
  address: string
  town: string
  postalCode: string
  /** `null` when the courier's list has none. */
  position: Position | null
}

/** In degrees. */
export interface Position {
  latitude: number
  longitude: number
}

/**
 * The format of `assets/lockers.json`. Rows are arrays, because the field names of objects would double the download.
 */
export interface LockerList {
  /** Date of the courier's list. */
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

export function parseLockers({ rows }: LockerList): Locker[] {
  return rows.map(([code, name, address, town, postalCode, latitude, longitude]) => ({
    code,
    name,
    address,
    town,
    postalCode,
    position: latitude === null || longitude === null ? null : { latitude, longitude },
  }))
}

/** The locker as text for orders, mails and waybills: `CG54 Sasol Rivonia Uplifted, 375 Rivonia Rd, Rivonia, Sandton, 2191`. */
export function lockerText({ code, name, address, town, postalCode }: Locker): string {
  return `${code} ${[name, address, town, postalCode].filter(Boolean).join(', ')}`
}

/** Returns the lockers in which every word of the query begins a word of code, name, address, town or postal code. */
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

export interface NearbyLocker {
  locker: Locker
  kilometres: number
}

/** Returns the lockers within a distance, nearest first. */
export function findNearbyLockers(
  lockers: readonly Locker[],
  here: Position,
  withinKilometres = 60,
): NearbyLocker[] {
  return lockers
    .flatMap((locker) =>
      locker.position ? [{ locker, kilometres: kilometresBetween(here, locker.position) }] : [],
    )
    .filter(({ kilometres }) => kilometres <= withinKilometres)
    .toSorted((one, other) => one.kilometres - other.kilometres)
}

const EARTH_RADIUS_KM = 6371

/** Great-circle distance by the haversine formula. */
function kilometresBetween(a: Position, b: Position): number {
  const rad = Math.PI / 180
  const north = Math.sin(((b.latitude - a.latitude) * rad) / 2) ** 2
  const east = Math.sin(((b.longitude - a.longitude) * rad) / 2) ** 2
  const h = north + Math.cos(a.latitude * rad) * Math.cos(b.latitude * rad) * east
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(h))
}
