import { useQuery } from '@tanstack/react-query'
import { createContext, use, useEffect, useState, type ReactNode } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router'
import { queryBackend } from '#app/session/query-backend.ts'
import { useSession } from '#app/session/session.tsx'
import { signInPath } from '#app/session/sign-in-path.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import styles from './admin-gate.module.css'
import { isOpenTo, RoleContext, useCurrentRole, type Role } from './role.ts'

const LeaveContext = createContext<() => void>(() => {})

/** Signs out and goes home. */
export function useSignOut(): () => void {
  return use(LeaveContext)
}

/**
 * Admits staff and sends all others to /auth, once the role is known; a packer's way to what is not theirs ends at the
 * orders. The database guards the data itself.
 */
export function AdminGate({ children }: { children: ReactNode }) {
  const { signOut } = useSession()
  const role = useCurrentRole()
  const { pathname } = useLocation()
  const [isLeaving, setIsLeaving] = useState(false)
  const navigate = useNavigate()
  const signIn = useSignInAddress()
  const lacksFactor = useLacksFactor(Boolean(role))
  const exit = isLeaving ? '/' : lacksFactor ? '/account/security?for=admin' : signIn
  const isTurnedAway = role === null || lacksFactor
  const [letIn, setLetIn] = useState<Role | null>(null)
  if (role && !lacksFactor && role !== letIn) setLetIn(role)

  useEffect(() => {
    if (isTurnedAway) void navigate(exit, { replace: true })
  }, [isTurnedAway, exit, navigate])

  const leave = () => {
    setIsLeaving(true)
    void signOut()
  }
  // A form with something in it asks before it is left, so it stands here until that is answered.
  const shownTo = isTurnedAway ? !isLeaving && letIn : role
  if (!shownTo) return <Waiting />
  if (!isOpenTo(shownTo, pathname)) return <Navigate to="/admin/orders" replace />
  return (
    <RoleContext value={shownTo}>
      <LeaveContext value={leave}>{children}</LeaveContext>
    </RoleContext>
  )
}

/** Where everybody who works here must have a second step, the database lets nobody in without; this says so instead of empty lists. */
function useLacksFactor(worksHere: boolean): boolean {
  const { user } = useSession()
  const { data } = useQuery({
    queryKey: ['must-add-second-factor', user?.id],
    enabled: worksHere,
    queryFn: () => queryBackend((backend) => backend.rpc('must_add_second_factor')),
  })
  return data ?? false
}

/** Brings visitors back to where they wanted to go. A customer would be sent back and forth, and ends at the home page. */
function useSignInAddress(): string {
  const { status } = useSession()
  const { pathname } = useLocation()
  return status === 'signed-out' ? signInPath(pathname) : '/auth'
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
