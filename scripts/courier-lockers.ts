import { z } from 'zod'
import type { LockerList, LockerRow } from '#domain/lockers.ts'

/**
 * The courier's own list of lockers → ours.
 *
 * Its shape is that of `GET /api/v1/lockers-data` of The Courier Guy's locker service (pudo): an array, or an object with the
 * array in `data`. Only what the picker shows is read; whatever else stands there may change.
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

export function lockerListFrom(courierAnswer: unknown, asOf: string): LockerList {
  const rows = courierList.parse(courierAnswer).map(rowFrom)
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
    about(latitude),
    about(longitude),
  ]
}

/** Without what stands in columns of its own, or goes without saying. */
function streetOf(address: string, told: string[]): string {
  const parts = address.split(',').map((part) => part.trim())
  return parts.filter((part) => part !== '' && !told.includes(part)).join(', ')
}

/** To a hundred metres: enough to tell which is nearer, and every digit weighs. */
function about(degrees: number | null | undefined): number | null {
  return degrees == null ? null : Math.round(degrees * 1000) / 1000
}
