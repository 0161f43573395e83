import { createContext, use, useEffect, useState, type ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useSession } from '#app/session/session.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import styles from './admin-gate.module.css'

const LeaveContext = createContext<() => void>(() => {})

/** Signs out and goes home. */
export function useLeave(): () => void {
  return use(LeaveContext)
}

/** Lets admins in and sends everybody else to /auth, once it is known who asks. The database guards the data itself. */
export function AdminGate({ children }: { children: ReactNode }) {
  const { isAdmin, signOut } = useSession()
  const [isLeaving, setIsLeaving] = useState(false)
  const navigate = useNavigate()
  const signIn = useSignInAddress()
  const exit = isLeaving ? '/' : signIn
  const isTurnedAway = isAdmin === false

  useEffect(() => {
    if (isTurnedAway) void navigate(exit, { replace: true })
  }, [isTurnedAway, exit, navigate])

  const leave = () => {
    setIsLeaving(true)
    void signOut()
  }
  return isAdmin ? <LeaveContext value={leave}>{children}</LeaveContext> : <Waiting />
}

/** Brings back to where the visitor wanted to go; save for a customer, who would be sent back and forth. */
function useSignInAddress(): string {
  const { status } = useSession()
  const { pathname } = useLocation()
  return status === 'signed-out' && pathname !== '/admin' ? `/auth?redirect=${pathname}` : '/auth'
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
