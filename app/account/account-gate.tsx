import { createContext, use, useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { useLocation, type Location } from 'react-router'
import { useSession } from '#app/data/session.tsx'
import { SIGN_OUT_EVENT } from '#app/data/sign-out.ts'
import { signInPath } from '#app/data/sign-in-path.ts'
import type { SessionUser } from '#app/data/stored-session.ts'
import { NeedsScript } from '#app/ui/form/needs-script.tsx'
import { useLateNavigate } from '#app/ui/use-late-navigate.ts'
import { useWindowEvent } from '#app/ui/use-window-event.ts'
import { Loading } from './loading.tsx'

export const CustomerContext = createContext<SessionUser | null>(null)

/** Returns the signed-in customer; throws outside `AccountGate`. */
export function useCustomer(): SessionUser {
  const customer = use(CustomerContext)
  if (!customer) throw new Error('useCustomer must be used inside <AccountGate>')
  return customer
}

/**
 * Admits signed-in customers and redirects everyone else to /auth and back, also when the server has ended the session. A customer who
 * signs out, here or in another tab, goes to the home page instead.
 */
export function AccountGate({ children }: { children: ReactNode }) {
  const { status, user } = useSession()
  const location = useLocation()
  const navigate = useLateNavigate()
  const isLeaving = useRef(false)
  useWindowEvent('storage', ({ key }) => {
    if (key === SIGN_OUT_EVENT) isLeaving.current = true
  })

  const leave = useEffectEvent(({ pathname }: Location) =>
    navigate(isLeaving.current ? '/' : signInPath(pathname), { replace: true }),
  )
  useEffect(() => {
    if (status === 'signed-out') leave(location)
    // After each navigation: a page that was opened meanwhile may have led back to this one.
  }, [status, location])

  return user ? (
    // The key resets all state when another customer signs in.
    <CustomerContext key={user.id} value={user}>
      {children}
    </CustomerContext>
  ) : (
    <>
      <NeedsScript what="Your account" />
      <Loading label="Opening your account" />
    </>
  )
}
