import { LogOut, Package, ShieldCheck, SlidersHorizontal, UserRound } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { useSession } from '#app/session/session.tsx'
import styles from './account-navigation.module.css'

const PLACES = [
  { to: '/account', label: 'Orders', Icon: Package },
  { to: '/account/details', label: 'My details', Icon: UserRound },
  { to: '/account/security', label: 'Sign-in and security', Icon: ShieldCheck },
  { to: '/account/data', label: 'Data and privacy', Icon: SlidersHorizontal },
]

export function AccountNavigation() {
  const { status, signOut } = useSession()
  const { pathname } = useLocation()
  // An order is a page of the orders.
  const here = pathname.startsWith('/account/orders/') ? '/account' : pathname
  return (
    <nav aria-label="My account" className={styles.places}>
      {PLACES.map(({ to, label, Icon }) => (
        <Link
          key={to}
          to={to}
          ref={to === here ? bringIntoView : undefined}
          className={styles.place}
          aria-current={to === here ? 'page' : undefined}
        >
          <Icon size={20} aria-hidden />
          {label}
        </Link>
      ))}
      {status === 'signed-in' && (
        <button type="button" className={styles.place} onClick={() => void signOut()}>
          <LogOut size={20} aria-hidden />
          Sign Out
        </button>
      )}
    </nav>
  )
}

/** On a phone the places scroll sideways, and the one that is open may be off the screen. */
function bringIntoView(place: HTMLElement | null): void {
  place?.scrollIntoView({ block: 'nearest', inline: 'center', behavior: 'instant' })
}
