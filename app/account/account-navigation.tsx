import { LogOut, Package, ShieldCheck, Settings2, UserRound } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { useSession } from '#app/data/session.tsx'
import { classNames } from '#app/ui/class-names.ts'
import { Row } from '#app/ui/layout.tsx'
import tabStyles from '#app/ui/tab.module.css'
import styles from './account-navigation.module.css'

const PAGES = [
  { to: '/account', label: 'Orders', Icon: Package },
  { to: '/account/details', label: 'My details', Icon: UserRound },
  { to: '/account/security', label: 'Sign-in and security', Icon: ShieldCheck },
  { to: '/account/data', label: 'Data and privacy', Icon: Settings2 },
]

export function AccountNavigation() {
  const { status, signOut } = useSession()
  const { pathname } = useLocation()
  const current = pathname.startsWith('/account/orders/') ? '/account' : pathname
  return (
    <Row screenOnly as="nav" gap={1} align="stretch" aria-label="My account" className={styles.navigation}>
      {PAGES.map(({ to, label, Icon }) => (
        <Link
          key={to}
          to={to}
          ref={to === current ? bringIntoView : undefined}
          className={classNames(tabStyles.tab, styles.link)}
          aria-current={to === current ? 'page' : undefined}
        >
          <Icon size={20} aria-hidden />
          {label}
        </Link>
      ))}
      {status === 'signed-in' && (
        <button
          type="button"
          className={classNames(tabStyles.tab, styles.link)}
          onClick={() => void signOut()}
        >
          <LogOut size={20} aria-hidden />
          Sign Out
        </button>
      )}
    </Row>
  )
}

/** On a phone the navigation scrolls sideways, and the current link may be out of view. */
function bringIntoView(link: HTMLElement | null): void {
  link?.scrollIntoView({ block: 'nearest', inline: 'center', behavior: 'instant' })
}
