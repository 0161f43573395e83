import { useRef, type KeyboardEvent } from 'react'
import { matchingEntry, nothingTyped, typeLetter } from './type-ahead.ts'

/** Returns a key handler: arrows, Home, End and letters move the focus between the links and buttons of an open menu. */
export function useMenuKeys() {
  const typed = useRef(nothingTyped)

  return function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const entries = [...event.currentTarget.querySelectorAll<HTMLElement>('a, button')].filter(isVisible)
    const current = entries.findIndex((entry) => entry === document.activeElement)
    const next = entryFor(event, entries, current)
    if (next === null) return
    event.preventDefault()
    entries.at(next)?.focus()
  }

  function entryFor(
    { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
    entries: HTMLElement[],
    current: number,
  ) {
    const isLetter = key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
    if (isLetter) {
      typed.current = typeLetter(typed.current, key, Date.now())
      const labels = entries.map((entry) => entry.textContent ?? '')
      const meant = matchingEntry(labels, typed.current.text, current)
      return meant < 0 ? null : meant
    }
    const moves: Record<string, number> = {
      ArrowDown: (current + 1) % entries.length,
      ArrowUp: current < 1 ? -1 : current - 1,
      Home: 0,
      End: -1,
    }
    return moves[key] ?? null
  }
}

/** Not `checkVisibility`, which Safari before 17.4 lacks. */
function isVisible(element: HTMLElement): boolean {
  return element.getClientRects().length > 0
}
