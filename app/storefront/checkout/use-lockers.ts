import { useCallback, useRef, useState } from 'react'
import { lockersFrom, lockersNear, type Locker, type LockerList, type LockerNearby } from '#domain/lockers.ts'
import listUrl from '../../../assets/lockers.json?url&no-inline'

/** The courier's lockers, fetched when somebody first looks for one. Without them the field takes any text, as always. */
export function useLockers() {
  const [lockers, setLockers] = useState<readonly Locker[]>([])
  const loading = useRef<Promise<readonly Locker[]> | null>(null)

  const load = useCallback((): Promise<readonly Locker[]> => {
    loading.current ??= fetchLockers().then(
      (loaded) => {
        setLockers(loaded)
        return loaded
      },
      (error: unknown) => {
        console.error('the list of lockers did not load', error)
        loading.current = null
        return []
      },
    )
    return loading.current
  }, [])

  const findNear = useCallback(async (): Promise<LockerNearby[]> => {
    const [known, here] = await Promise.all([load(), askPosition()])
    return lockersNear(known, here)
  }, [load])

  return { lockers, load, findNear }
}

async function fetchLockers(): Promise<Locker[]> {
  const answer = await fetch(listUrl)
  if (!answer.ok) throw new Error(`the shop answered ${answer.status}`)
  const list: LockerList = await answer.json()
  return lockersFrom(list)
}

const POSITION_PATIENCE_MS = 10_000
/** Lockers stand still, and so do most people who order. */
const POSITION_MAY_BE_OLD_MS = 10 * 60_000

/** Rejects when the person or the device does not say where they are. */
async function askPosition() {
  const { coords } = await new Promise<GeolocationPosition>((resolve, reject) => {
    navigator.geolocation.getCurrentPosition(resolve, reject, {
      timeout: POSITION_PATIENCE_MS,
      maximumAge: POSITION_MAY_BE_OLD_MS,
    })
  })
  return { latitude: coords.latitude, longitude: coords.longitude }
}
