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

/** The courier's lockers, and what it takes to look one up. */
export interface LockerBook {
  find: (query: string) => Locker[]
  near: (here: { latitude: number; longitude: number }) => NearbyLocker[]
  textOf: (locker: Locker) => string
}

export async function openLockerBook(): Promise<LockerBook> {
  const answer = await fetch(listUrl)
  if (!answer.ok) throw new Error(`the shop answered ${answer.status}`)
  const list: LockerList = await answer.json()
  const lockers = parseLockers(list)
  return {
    find: (query) => findLockers(lockers, query),
    near: (here) => findNearbyLockers(lockers, here),
    textOf: lockerText,
  }
}
