import { useCallback, useRef, useState } from 'react'
import type { NearbyLocker } from '#domain/lockers.ts'
import type { LockerDirectory } from './locker-directory.ts'

/** The courier's lockers, loaded on first use. The field accepts free text without them. */
export function useLockers() {
  const [directory, setDirectory] = useState<LockerDirectory | null>(null)
  const loading = useRef<Promise<LockerDirectory | null> | null>(null)

  const load = useCallback((): Promise<LockerDirectory | null> => {
    loading.current ??= loadDirectory().then(
      (loaded) => {
        setDirectory(loaded)
        return loaded
      },
      (error: unknown) => {
        console.error('the list of lockers did not load', error)
        loading.current = null
        return null
      },
    )
    return loading.current
  }, [])

  const findNear = useCallback(async (): Promise<NearbyLocker[]> => {
    const [loaded, here] = await Promise.all([load(), requestPosition()])
    return loaded?.near(here) ?? []
  }, [load])

  return { directory, load, findNear }
}

async function loadDirectory(): Promise<LockerDirectory> {
  return (await import('./locker-directory.ts')).loadLockerDirectory()
}

const POSITION_TIMEOUT_MS = 10_000
/** A recent position is precise enough to find lockers. */
const POSITION_MAX_AGE_MS = 10 * 60_000

/** Rejects when the position is denied or unavailable. */
async function requestPosition() {
  const { coords } = await new Promise<GeolocationPosition>((resolve, reject) => {
    navigator.geolocation.getCurrentPosition(resolve, reject, {
      timeout: POSITION_TIMEOUT_MS,
      maximumAge: POSITION_MAX_AGE_MS,
    })
  })
  return { latitude: coords.latitude, longitude: coords.longitude }
}
