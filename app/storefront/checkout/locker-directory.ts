import {
  findLockers,
  parseLockers,
  findNearbyLockers,
  lockerText,
  type Locker,
  type LockerList,
  type NearbyLocker,
} from '#domain/lockers.ts'
import listUrl from '../../../assets/lockers.json?url&no-inline'

export interface LockerDirectory {
  find: (query: string) => Locker[]
  near: (here: { latitude: number; longitude: number }) => NearbyLocker[]
  textOf: (locker: Locker) => string
}

export async function loadLockerDirectory(): Promise<LockerDirectory> {
  const response = await fetch(listUrl)
  if (!response.ok) throw new Error(`the locker list failed with status ${response.status}`)
  const list: LockerList = await response.json()
  const lockers = parseLockers(list)
  return {
    find: (query) => findLockers(lockers, query),
    near: (here) => findNearbyLockers(lockers, here),
    textOf: lockerText,
  }
}
