import { useEffect, type ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useSession } from '#app/session/session.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import styles from './admin-gate.module.css'

/** Lets admins in and sends everybody else to /auth, once it is known who asks. The database guards the data itself. */
export function AdminGate({ children }: { children: ReactNode }) {
  const { isAdmin, status } = useSession()
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const isTurnedAway = isAdmin === false
  // Somebody who is signed in and no admin would be sent back and forth between here and there.
  const returnTo = status === 'signed-out' && pathname !== '/admin' ? `?redirect=${pathname}` : ''

  useEffect(() => {
    if (isTurnedAway) void navigate(`/auth${returnTo}`, { replace: true })
  }, [isTurnedAway, returnTo, navigate])

  return isAdmin ? children : <Waiting />
}

function Waiting() {
  return (
    <main className={styles.waiting} aria-busy="true">
      <VisuallyHidden>Opening the admin panel</VisuallyHidden>
      <Skeleton height={40} width={220} />
      <Skeleton height={44} />
      <Skeleton height={320} />
    </main>
  )
}
