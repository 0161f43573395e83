import { useId, type MouseEvent, type ReactNode } from 'react'
import { IconButton } from './button.tsx'
import styles from './menu.module.css'
import { useMenuKeys } from './use-menu-keys.ts'
import { useMenuPosition } from './use-menu-position.ts'

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
