import { useState, type KeyboardEvent } from 'react'
import type { Locker, NearbyLocker } from '#domain/lockers.ts'
import { useLockers } from './use-lockers.ts'

/** As many as fit above a phone's keyboard. */
const SHOWN = 6

export interface LockerOffer {
  locker: Locker
  /** From where the buyer is; `null` when it was found by name. */
  kilometres: number | null
}

interface LockerSearch {
  query: string
  onChoose: (text: string) => void
}

/** What the locker field offers while somebody types, or for where they are. */
export function useLockerSearch({ query, onChoose }: LockerSearch) {
  const { book, load, findNear } = useLockers()
  const [nearby, setNearby] = useState<NearbyLocker[] | null>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [active, setActive] = useState(-1)
  const [message, setMessage] = useState('')

  const found: LockerOffer[] =
    nearby ?? (book?.find(query) ?? []).map((locker) => ({ locker, kilometres: null }))
  const offers = isOpen ? found.slice(0, SHOWN) : []

  function show(places: NearbyLocker[] | null, text = '') {
    setNearby(places)
    setActive(-1)
    setMessage(text)
    setIsOpen(true)
  }

  function choose(locker: Locker) {
    if (book) onChoose(book.textOf(locker))
    setIsOpen(false)
  }

  async function showNearby() {
    setMessage('Looking for lockers near you...')
    try {
      const places = await findNear()
      show(places, places.length > 0 ? '' : 'No listed locker near you. Type where yours is.')
    } catch {
      // Whether refused or not to be had: a suburb does as well.
      setMessage('We could not tell where you are. Type a suburb instead.')
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (offers.length === 0) return
    const chosen = offers[active]
    if (event.key === 'ArrowDown') setActive((active + 1) % offers.length)
    else if (event.key === 'ArrowUp') setActive((active <= 0 ? offers.length : active) - 1)
    else if (event.key === 'Enter' && chosen) choose(chosen.locker)
    else if (event.key === 'Escape') setIsOpen(false)
    else return
    event.preventDefault()
  }

  return {
    offers,
    active,
    message: message || (isOpen && query !== '' ? countText(found.length) : ''),
    load,
    choose,
    showNearby,
    onKeyDown,
    onType: () => show(null),
    close: () => setIsOpen(false),
  }
}

function countText(count: number): string {
  if (count === 0) return ''
  const lockers = `${count} ${count === 1 ? 'locker' : 'lockers'} found`
  return count > SHOWN ? `${lockers}, the first ${SHOWN} are shown.` : `${lockers}.`
}
