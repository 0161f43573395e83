import { createContext, use, useEffect, useRef, type ReactNode } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useSession } from '#app/session/session.tsx'
import { signInPath } from '#app/session/sign-in-path.ts'
import type { SessionUser } from '#app/session/stored-session.ts'
import { NeedsScript } from '#app/storefront/form/needs-script.tsx'
import { Waiting } from './waiting.tsx'

const CustomerContext = createContext<SessionUser | null>(null)

/** Whose account this is; only inside the gate. */
export function useCustomer(): SessionUser {
  const customer = use(CustomerContext)
  if (!customer) throw new Error('useCustomer must be used inside <AccountGate>')
  return customer
}

/**
 * Lets in who is signed in, second step included, and sends everybody else to /auth, with the way back. Who has been in and
 * signs out, here or in another tab, goes home instead.
 */
export function AccountGate({ children }: { children: ReactNode }) {
  const { status, user, awaitsFactor } = useSession()
  const { pathname } = useLocation()
  const navigate = useNavigate()

  const hasBeenIn = useRef(false)

  useEffect(() => {
    if (status === 'signed-in') hasBeenIn.current = true
    if (status !== 'signed-out') return
    const isLeaving = hasBeenIn.current && !awaitsFactor
    void navigate(isLeaving ? '/' : signInPath(pathname), { replace: true })
  }, [status, awaitsFactor, pathname, navigate])

  return user ? (
    // Somebody else who signs in finds nothing of the one before.
    <CustomerContext key={user.id} value={user}>
      {children}
    </CustomerContext>
  ) : (
    <>
      <NeedsScript what="Your account" />
      <Waiting label="Opening your account" />
    </>
  )
}
