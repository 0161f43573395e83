import { useCallback, useRef, useState } from 'react'
import type { NearbyLocker } from '#domain/lockers.ts'
import type { LockerBook } from './locker-book.ts'

/** The courier's lockers, fetched when somebody first looks for one. Without them the field takes any text, as always. */
export function useLockers() {
  const [book, setBook] = useState<LockerBook | null>(null)
  const loading = useRef<Promise<LockerBook | null> | null>(null)

  const load = useCallback((): Promise<LockerBook | null> => {
    loading.current ??= openBook().then(
      (opened) => {
        setBook(opened)
        return opened
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
    const [opened, here] = await Promise.all([load(), askPosition()])
    return opened?.near(here) ?? []
  }, [load])

  return { book, load, findNear }
}

async function openBook(): Promise<LockerBook> {
  return (await import('./locker-book.ts')).openLockerBook()
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
