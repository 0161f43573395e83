import { Ellipsis } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router'
import { IconButton } from '#app/ui/button.tsx'
import { classNames } from '#app/ui/class-names.ts'
import styles from '#app/ui/menu.module.css'
import { useMenuKeys } from '#app/ui/use-menu-keys.ts'
import { hideMenu, useMenuPosition } from '#app/ui/use-menu-position.ts'
import frame from './admin-frame.module.css'
import { useNavigation } from './navigation.ts'
import { useTheme } from './theme.ts'

/** A menu of the pages without a tab. */
export function MoreMenu() {
  const menuId = useId()
  const onKeyDown = useMenuKeys()
  const { theme, toggleTheme } = useTheme()
  const { button, menu, onBeforeToggle } = useMenuPosition()

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
        {useNavigation().more.map(({ label, path }) => (
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
