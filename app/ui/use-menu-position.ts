import { useEffect, useRef, type ToggleEvent } from 'react'
import { anchorBelow } from './anchor-below.ts'

/** Keeps a popover menu under the button that opens it. */
export function useMenuPosition() {
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const stop = useRef<(() => void) | undefined>(undefined)
  useEffect(() => () => stop.current?.(), [])

  // `toggle` fires only after the menu was painted.
  const onBeforeToggle = ({ newState }: ToggleEvent) => {
    stop.current?.()
    stop.current = undefined
    if (newState === 'open' && button.current && menu.current)
      stop.current = anchorBelow(button.current, menu.current)
  }
  return { button, menu, onBeforeToggle }
}
