import { Ellipsis } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router'
import { IconButton } from '#app/ui/button.tsx'
import { classNames } from '#app/ui/class-names.ts'
import styles from '#app/ui/menu.module.css'
import { useMenuKeys } from '#app/ui/use-menu-keys.ts'
import { hideMenu, useMenuPosition } from '#app/ui/use-menu-position.ts'
import frame from './admin-frame.module.css'
import { canOpen, type Role } from './role.ts'
import { tabsOf } from './tabs.ts'
import { useTheme } from './theme.ts'

const PAGES = [
  { label: 'Messages', path: '/admin/messages' },
  { label: 'Subscribers', path: '/admin/subscribers' },
  { label: 'Low stock', path: '/admin/low-stock' },
  { label: 'History', path: '/admin/history' },
  { label: 'Settings', path: '/admin/settings' },
] as const

/** A menu of the pages without a tab. */
export function MoreMenu({ role }: { role: Role }) {
  const menuId = useId()
  const onKeyDown = useMenuKeys()
  const { theme, toggleTheme } = useTheme()
  const { button, menu, onBeforeToggle } = useMenuPosition()
  const tabs: string[] = tabsOf(role).map(({ path }) => path)
  const pages = PAGES.filter(({ path }) => canOpen(role, path) && !tabs.includes(path))

  return (
    <>
      <IconButton ref={button} label="More pages" popoverTarget={menuId}>
        <Ellipsis size={20} aria-hidden />
      </IconButton>
      {/* The keys act on the entries; the box only receives the events that bubble. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        ref={menu}
        id={menuId}
        popover="auto"
        className={styles.menu}
        onKeyDown={onKeyDown}
        onBeforeToggle={onBeforeToggle}
        onToggle={({ newState, currentTarget }) => {
          if (newState === 'open') currentTarget.querySelector<HTMLElement>('a, button')?.focus()
        }}
      >
        {pages.map(({ label, path }) => (
          <Link key={path} to={path} className={styles.entry} onClick={hideMenu}>
            {label}
          </Link>
        ))}
        <Link to="/account/details" className={styles.entry}>
          My details
        </Link>
        <button
          type="button"
          className={classNames(styles.entry, frame.mobileOnly)}
          onClick={(event) => {
            hideMenu(event)
            toggleTheme()
          }}
        >
          {theme === 'dark' ? 'Use the light theme' : 'Use the dark theme'}
        </button>
        <Link to="/" className={classNames(styles.entry, frame.narrowPhonesOnly)}>
          Back to Home
        </Link>
      </div>
    </>
  )
}
