import { useId, type MouseEvent, type ReactNode, useEffect, useRef, type ToggleEvent } from 'react'
import { IconButton } from './button.tsx'
import styles from './menu.module.css'
import { useMenuKeys } from './use-menu-keys.ts'

interface MenuProps {
  /** Of the button that opens the menu. */
  label: string
  icon: ReactNode
  /** Links and buttons with the class `entry`. */
  children: ReactNode
}

export function Menu({ label, icon, children }: MenuProps) {
  const menuId = useId()
  const onKeyDown = useMenuKeys()
  const { button, menu, onBeforeToggle } = useMenuPosition()

  return (
    <>
      <IconButton ref={button} label={label} popoverTarget={menuId}>
        {icon}
      </IconButton>
      {/* The events are those of the entries, which bubble. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events */}
      <div
        ref={menu}
        id={menuId}
        popover="auto"
        className={styles.menu}
        onClick={hideAfterChoice}
        onKeyDown={onKeyDown}
        onBeforeToggle={onBeforeToggle}
        onToggle={({ newState, currentTarget }) => {
          if (newState === 'open') currentTarget.querySelector<HTMLElement>('a, button')?.focus()
        }}
      >
        {children}
      </div>
    </>
  )
}

/** Client-side navigation does not close a popover. */
function hideAfterChoice({ target, currentTarget }: MouseEvent<HTMLElement>) {
  if (target instanceof Element && target.closest('a, button')) currentTarget.hidePopover()
}

/** Keeps a popover menu under the button that opens it. */
function useMenuPosition() {
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

const GAP_PX = 8
const EDGE_PX = 8

/**
 * Keeps a popover below its button, right edges aligned. Returns a function that stops it. Measures the position, because Safari
 * before 26 and Firefox before 147 lack CSS anchor positioning.
 */
function anchorBelow(button: HTMLElement, popover: HTMLElement): () => void {
  const place = () => {
    const { bottom, right } = button.getBoundingClientRect()
    popover.style.top = `${bottom + GAP_PX}px`
    popover.style.right = `${Math.max(EDGE_PX, document.documentElement.clientWidth - right)}px`
  }
  place()
  addEventListener('scroll', place, { passive: true })
  addEventListener('resize', place)
  return () => {
    removeEventListener('scroll', place)
    removeEventListener('resize', place)
  }
}
