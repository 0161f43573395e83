import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState, type KeyboardEvent } from 'react'
import { afterPress } from '#app/ui/after-press.ts'
import type { Locker, NearbyLocker } from '#domain/lockers.ts'

/** The courier's lockers. The field accepts free text without them. */
const DIRECTORY = queryOptions({
  queryKey: ['lockers'],
  queryFn: async () => (await import('./locker-directory.ts')).loadLockerDirectory(),
  staleTime: Infinity,
  retry: false,
})

/** Fits above a phone's keyboard. */
const MAX_SHOWN = 6

export interface LockerSuggestion {
  locker: Locker
  /** Distance from the buyer; `null` for a search by name. */
  kilometres: number | null
}

interface LockerSearch {
  query: string
  onChoose: (text: string) => void
}

/** Suggests lockers by name while the buyer types, or by location. */
export function useLockerSearch({ query, onChoose }: LockerSearch) {
  const queries = useQueryClient()
  // Loaded on first use.
  const { data: directory } = useQuery({ ...DIRECTORY, enabled: false })
  const [nearby, setNearby] = useState<NearbyLocker[] | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const [message, setMessage] = useState('')
  /** Counts what the buyer has asked for: a late answer must not replace a newer request. */
  const request = useRef(0)

  const matches: LockerSuggestion[] =
    nearby ?? (directory?.find(query) ?? []).map((locker) => ({ locker, kilometres: null }))
  const suggestions = isOpen ? matches.slice(0, MAX_SHOWN) : []

  function show(places: NearbyLocker[] | null, text = '') {
    setNearby(places)
    setActive(-1)
    setMessage(text)
    setIsOpen(true)
  }

  function choose(locker: Locker) {
    request.current += 1
    if (directory) onChoose(directory.textOf(locker))
    setIsOpen(false)
  }

  async function load() {
    try {
      return await queries.fetchQuery(DIRECTORY)
    } catch (error) {
      console.error('the list of lockers did not load', error)
      return null
    }
  }

  async function showNearby(onShown: () => void) {
    const number = (request.current += 1)
    const isLatest = () => request.current === number
    setMessage('Looking for lockers near you...')
    try {
      const [loaded, here] = await Promise.all([load(), requestPosition()])
      if (!isLatest()) return
      if (!loaded) return setMessage('The list of lockers did not load. Type where yours is.')
      const places = loaded.near(here)
      show(places, places.length > 0 ? '' : 'No listed locker near you. Type where yours is.')
      onShown()
    } catch {
      // Denied or unavailable: the buyer can search by suburb.
      if (isLatest()) setMessage("We couldn't find your location. Type a suburb instead.")
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (suggestions.length === 0) return
    const chosen = suggestions[active]
    if (event.key === 'ArrowDown') setActive((active + 1) % suggestions.length)
    else if (event.key === 'ArrowUp') setActive((active <= 0 ? suggestions.length : active) - 1)
    else if (event.key === 'Enter' && chosen) choose(chosen.locker)
    else if (event.key === 'Escape') setIsOpen(false)
    else return
    event.preventDefault()
  }

  return {
    suggestions,
    active,
    message: message || (directory && isOpen && (nearby || query.trim()) ? countText(matches.length) : ''),
    load,
    choose,
    showNearby,
    onKeyDown,
    onType: () => {
      request.current += 1
      show(null)
    },
    close: () => afterPress(() => setIsOpen(false)),
  }
}

function countText(count: number): string {
  if (count === 0) return 'No listed locker found. You can describe yours.'
  const lockers = `${count} ${count === 1 ? 'locker' : 'lockers'} found`
  return count > MAX_SHOWN ? `${lockers}. Showing the first ${MAX_SHOWN}.` : `${lockers}.`
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
