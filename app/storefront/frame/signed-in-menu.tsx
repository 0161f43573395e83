import { UserRound } from 'lucide-react'
import { useId } from 'react'
import { Link, useNavigate } from 'react-router'
import { useSession } from '#app/data/session.tsx'
import { IconButton } from '#app/ui/button.tsx'
import styles from '#app/ui/menu.module.css'
import { useMenuKeys } from '#app/ui/use-menu-keys.ts'
import { hideMenu, useMenuPosition } from '#app/ui/use-menu-position.ts'

const ACCOUNT_PAGES = [
  { to: '/account', label: 'Orders' },
  { to: '/account/details', label: 'My details' },
  { to: '/account/security', label: 'Security' },
]

export function SignedInMenu() {
  const menuId = useId()
  const navigate = useNavigate()
  const { role, signOut } = useSession()
  const onKeyDown = useMenuKeys()
  const { button, menu, onBeforeToggle } = useMenuPosition()

  const signOutAndLeave = async () => {
    await signOut()
    await navigate('/')
  }

  return (
    <>
      <IconButton ref={button} label="My Account" popoverTarget={menuId}>
        <UserRound size={22} aria-hidden />
      </IconButton>
      {/* The keys act on the menu's entries; the container only listens. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div
        ref={menu}
        id={menuId}
        popover="auto"
        className={styles.menu}
        onKeyDown={onKeyDown}
        onBeforeToggle={onBeforeToggle}
        onToggle={(event) => {
          if (event.newState !== 'open') return
          event.currentTarget.querySelector<HTMLElement>('a, button')?.focus()
        }}
      >
        <p className={styles.heading}>My Account</p>
        {role && (
          <Link to="/admin" className={styles.entry}>
            Admin Panel
          </Link>
        )}
        {ACCOUNT_PAGES.map(({ to, label }) => (
          <Link key={to} to={to} className={styles.entry} onClick={hideMenu}>
            {label}
          </Link>
        ))}
        <button type="button" className={styles.entry} onClick={() => void signOutAndLeave()}>
          Sign Out
        </button>
      </div>
    </>
  )
}
