import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react'
import { setPublishableKey } from './backend.ts'
import { followSession } from './follow-session.ts'
import { signOut } from './sign-out.ts'
import type { Role } from './staff-role.ts'
import type { KnownSession, SecondFactor, SessionUser } from './stored-session.ts'

export interface Session {
  status: 'loading' | 'signed-in' | 'signed-out'
  user: SessionUser | null
  /** `null` for customers, `undefined` while loading. */
  role: Role | null | undefined
  /** The role could not be read so far; the lookup is repeated. */
  isRoleUnreadable: boolean
  /** The account's verified second factors. */
  factors: SecondFactor[]
  /** The password was right, but /auth still has to verify the second factor. Counts as signed out. */
  awaitsFactor: boolean
  signOut: () => Promise<void>
}

const SessionContext = createContext<Session | null>(null)

export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession must be used inside <SessionProvider>')
  return session
}

interface SessionProviderProps {
  publishableKey: string
  children: ReactNode
}

export function SessionProvider({ publishableKey, children }: SessionProviderProps) {
  const [known, setKnown] = useState<KnownSession | null | undefined>(undefined)
  const [staff, setStaff] = useState<{ userId: string; role: Role | null | undefined } | null>(null)
  const awaitsFactor = known?.awaitsFactor ?? false
  const user = awaitsFactor ? null : known?.user
  const lookup = staff?.userId === user?.id ? staff : null
  const role = lookup?.role
  const isRoleUnreadable = lookup !== null && role === undefined

  // A state initializer, because the effects of child pages may already load the backend.
  useState(() => setPublishableKey(publishableKey))
  useEffect(() => followSession({ onSession: setKnown, onRole: setStaff }), [])

  const session = useMemo<Session>(() => {
    const common = { factors: known?.factors ?? [], awaitsFactor, isRoleUnreadable, signOut }
    if (user) return { status: 'signed-in', user, role, ...common }
    if (known === undefined) return { status: 'loading', user: null, role: undefined, ...common }
    return { status: 'signed-out', user: null, role: null, ...common }
  }, [known, user, role, isRoleUnreadable, awaitsFactor])

  return <SessionContext value={session}>{children}</SessionContext>
}
