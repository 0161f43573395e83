import { createContext, use, useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import { useSession } from '#app/data/session.tsx'
import type { Role } from '#app/data/staff-role.ts'
import { signInPath } from '#app/data/sign-in-path.ts'
import { Panel, Stack } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useLateNavigate } from '#app/ui/use-late-navigate.ts'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { canOpen, RoleContext } from './role.ts'

const SignOutContext = createContext<() => void>(() => {})

/** Returns a function that signs out and opens the home page. */
export function useSignOut(): () => void {
  return use(SignOutContext)
}

/**
 * Admits staff and redirects everyone else to /auth once the role is known. Redirects packers from pages of admins to the orders.
 * The database guards the data itself.
 */
export function AdminGate({ children }: { children: ReactNode }) {
  const { role, isRoleUnreadable, signOut } = useSession()
  const location = useLocation()
  const { pathname } = location
  const [isLeaving, setIsLeaving] = useState(false)
  const navigate = useLateNavigate()
  const signIn = useSignInAddress()
  const lacksFactor = useLacksFactor(Boolean(role))
  const exit = isLeaving ? '/' : lacksFactor ? '/account/security?for=admin' : signIn
  const isDenied = role === null || lacksFactor
  const [admitted, setAdmitted] = useState<Role | null>(null)
  if (role && !lacksFactor && role !== admitted) setAdmitted(role)

  const leave = useEffectEvent((path: string) => navigate(path, { replace: true }))
  useEffect(() => {
    // After each navigation: a page that was opened meanwhile may have led back to this one.
    if (isDenied && location.pathname.startsWith('/admin')) leave(exit)
  }, [isDenied, exit, location])

  const signOutAndLeave = () => {
    setIsLeaving(true)
    void signOut()
  }
  // Keeps the page mounted while a form with unsaved changes blocks the redirect.
  const shownTo = isDenied ? !isLeaving && admitted : role
  if (!shownTo) return <Loading isUnreachable={isRoleUnreadable} />
  if (!canOpen(shownTo, pathname)) return <Navigate to="/admin/orders" replace />
  return (
    <RoleContext value={shownTo}>
      <SignOutContext value={signOutAndLeave}>{children}</SignOutContext>
    </RoleContext>
  )
}

/** When staff must have a second factor, the database returns no rows without one; redirecting is better than empty lists. */
function useLacksFactor(isStaff: boolean): boolean {
  const { user } = useSession()
  const { data } = useBackendQuery(
    ['must-add-second-factor', user?.id],
    (backend) => backend.rpc('must_add_second_factor'),
    { enabled: isStaff },
  )
  return data ?? false
}

/** Adds the current page for signed-out visitors only: a signed-in customer would be redirected back and forth. */
function useSignInAddress(): string {
  const { status } = useSession()
  const { pathname } = useLocation()
  return status === 'signed-out' ? signInPath(pathname) : '/auth'
}

function Loading({ isUnreachable }: { isUnreachable: boolean }) {
  return (
    <Stack as="main" gap={4} contained="page" aria-busy="true">
      <VisuallyHidden>Opening the admin panel</VisuallyHidden>
      {isUnreachable && (
        <Panel as="p" kind="warning" isMarked role="alert">
          We couldn’t reach the shop. Trying again...
        </Panel>
      )}
      <Skeleton height={40} width={220} />
      <Skeleton height={44} />
      <Skeleton height={320} />
    </Stack>
  )
}
