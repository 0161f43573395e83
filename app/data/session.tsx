import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react'
import { setPublishableKey, loadBackend } from './backend.ts'
import { followSession } from './follow-session.ts'
import { isAdmin as askIsAdmin } from './is-admin.ts'
import { signOut } from './sign-out.ts'
import type { KnownSession, SecondFactor, SessionUser } from './stored-session.ts'

export interface Session {
  status: 'loading' | 'signed-in' | 'signed-out'
  user: SessionUser | null
  /** `null` while loading. */
  isAdmin: boolean | null
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
  const awaitsFactor = known?.awaitsFactor ?? false
  const user = awaitsFactor ? null : known?.user
  const isAdmin = useIsAdmin(user?.id)

  // A state initializer, because the effects of child pages may already load the backend.
  useState(() => setPublishableKey(publishableKey))
  useEffect(() => followSession(setKnown), [])

  const session = useMemo<Session>(() => {
    const common = { factors: known?.factors ?? [], awaitsFactor, signOut }
    if (user) return { status: 'signed-in', user, isAdmin, ...common }
    if (known === undefined) return { status: 'loading', user: null, isAdmin: null, ...common }
    return { status: 'signed-out', user: null, isAdmin: false, ...common }
  }, [known, user, isAdmin, awaitsFactor])

  return <SessionContext value={session}>{children}</SessionContext>
}

function useIsAdmin(userId: string | undefined): boolean | null {
  const [checked, setChecked] = useState<{ userId: string; isAdmin: boolean } | null>(null)

  useEffect(() => {
    if (!userId) return
    const abandoned = new AbortController()
    void loadBackend()
      .then((client) => askIsAdmin(client, userId))
      .catch((error: unknown) => {
        console.error('admin check failed', error)
        return false
      })
      .then((isAdmin) => abandoned.signal.aborted || setChecked({ userId, isAdmin }))
    return () => abandoned.abort()
  }, [userId])

  return checked?.userId === userId && checked ? checked.isAdmin : null
}
