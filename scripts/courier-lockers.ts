import { z } from 'zod'
import type { LockerList, LockerRow } from '#domain/lockers.ts'

/**
 * Converts the courier's list of lockers: the response of `GET /api/v1/lockers-data` of The Courier Guy's locker service (pudo),
 * an array or an object with the array in `data`. Reads only the fields that the picker shows, so that other fields may change.
 */
const courierLocker = z.object({
  code: z.string().trim().min(1),
  name: z.string().trim().min(1),
  address: z.string().trim().default(''),
  latitude: z.coerce.number().min(-90).max(90).nullish().catch(null),
  longitude: z.coerce.number().min(-180).max(180).nullish().catch(null),
  place: z
    .object({ town: z.string().trim().catch(''), postalCode: z.string().trim().catch('') })
    .partial()
    .nullish(),
})
const courierList = z.union([
  z.array(courierLocker),
  z.object({ data: z.array(courierLocker) }).transform(({ data }) => data),
])

export function lockerListFrom(courierResponse: unknown, asOf: string): LockerList {
  const rows = courierList.parse(courierResponse).map(rowFrom)
  return {
    asOf,
    rows: rows.toSorted((one, other) => one[0].localeCompare(other[0], 'en', { numeric: true })),
  }
}

function rowFrom({
  code,
  name,
  address,
  latitude,
  longitude,
  place,
}: z.infer<typeof courierLocker>): LockerRow {
  const town = place?.town ?? ''
  const postalCode = place?.postalCode ?? ''
  return [
    code,
    name,
    streetOf(address, [town, postalCode, 'South Africa']),
    town,
    postalCode,
    roundDegrees(latitude),
    roundDegrees(longitude),
  ]
}

/** Removes the parts that other columns show, and the country. */
function streetOf(address: string, shownElsewhere: string[]): string {
  const parts = address.split(',').map((part) => part.trim())
  return parts.filter((part) => part !== '' && !shownElsewhere.includes(part)).join(', ')
}

/** Rounds to a hundred metres, which suffices for sorting by distance and keeps the list small. */
function roundDegrees(degrees: number | null | undefined): number | null {
  return degrees == null ? null : Math.round(degrees * 1000) / 1000
}
