import { useEffect, useRef, type MouseEvent, type ToggleEvent } from 'react'
import { anchorBelow } from './anchor-below.ts'

/** A link leads to another page in the same frame, which does not close the menu by itself. */
export function hideMenu({ currentTarget }: MouseEvent<HTMLElement>) {
  currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
}

/** Keeps a popover menu under the button that opens it. */
export function useMenuPosition() {
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const end = useRef<(() => void) | undefined>(undefined)
  useEffect(() => () => end.current?.(), [])

  // `toggle` comes after the menu was painted.
  const onBeforeToggle = ({ newState }: ToggleEvent) => {
    end.current?.()
    end.current = undefined
    if (newState === 'open' && button.current && menu.current)
      end.current = anchorBelow(button.current, menu.current)
  }
  return { button, menu, onBeforeToggle }
}
