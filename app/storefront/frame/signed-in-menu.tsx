import { UserRound } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import { useSession } from '#app/data/session.tsx'
import { Menu } from '#app/ui/menu.tsx'
import styles from '#app/ui/menu.module.css'
import { useLatestLocation } from '#app/ui/use-latest-location.ts'

const ACCOUNT_PAGES = [
  { to: '/account', label: 'Orders' },
  { to: '/account/details', label: 'My details' },
  { to: '/account/security', label: 'Security' },
]

export function SignedInMenu() {
  const navigate = useNavigate()
  const { role, signOut } = useSession()
  const latest = useLatestLocation()

  const signOutAndLeave = async () => {
    const { pathname } = latest()
    await signOut()
    // Not from a page that was opened meanwhile. A page for customers has led to the sign-in.
    if ([pathname, '/auth'].includes(latest().pathname)) await navigate('/')
  }

  return (
    <Menu label="My Account" icon={<UserRound size={22} aria-hidden />}>
      <p className={styles.heading}>My Account</p>
      {role && (
        <Link to="/admin" className={styles.entry}>
          Admin Panel
        </Link>
      )}
      {ACCOUNT_PAGES.map(({ to, label }) => (
        <Link key={to} to={to} className={styles.entry}>
          {label}
        </Link>
      ))}
      <button type="button" className={styles.entry} onClick={() => void signOutAndLeave()}>
        Sign Out
      </button>
    </Menu>
  )
}
