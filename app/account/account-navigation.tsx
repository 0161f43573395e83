import { LogOut, Package, ShieldCheck, SlidersHorizontal, UserRound } from 'lucide-react'
import { Link, useLocation, useNavigate } from 'react-router'
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
  const navigate = useNavigate()
  const { pathname } = useLocation()
  // An order is a page of the orders.
  const here = pathname.startsWith('/account/orders/') ? '/account' : pathname
  const leave = async () => {
    await navigate('/')
    await signOut()
  }

  return (
    <nav aria-label="My account" className={styles.places}>
      {PLACES.map(({ to, label, Icon }) => (
        <Link key={to} to={to} className={styles.place} aria-current={to === here ? 'page' : undefined}>
          <Icon size={20} aria-hidden />
          {label}
        </Link>
      ))}
      {status === 'signed-in' && (
        <button type="button" className={styles.place} onClick={() => void leave()}>
          <LogOut size={20} aria-hidden />
          Sign Out
        </button>
      )}
    </nav>
  )
}
