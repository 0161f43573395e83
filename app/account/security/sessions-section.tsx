import { useQuery } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'
import { fetchAsUser } from '#app/data/backend.ts'
import { failureText } from '#app/data/failure-text.ts'
import { NoResponseError, queryBackend } from '#app/data/query-backend.ts'
import { announceSignOut } from '#app/data/sign-out.ts'
import { Button } from '#app/ui/button.tsx'
import { Row } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { LocalDate } from '#app/ui/local-date.tsx'
import { useCustomer } from '../account-gate.tsx'
import { LoadError } from '../load-error.tsx'
import { Section } from '../section.tsx'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import { Item } from './item.tsx'
import { deviceName } from '../../data/device.ts'
import styles from './security.module.css'

const signOutFailure = failureText({
  refused: 'The sign-out failed. Please try again.',
  lost: 'We didn’t get an answer, so the sign-out may have worked. Please reload the page.',
})

interface OpenSession {
  id: string
  created_at: string
  refreshed_at: string | null
  user_agent: string | null
  ip: string | null
  current: boolean
}

async function loadSessions(): Promise<OpenSession[]> {
  return (await requestSessions('GET')).json()
}

/** The client has no method for the list of sessions. */
async function requestSessions(method: 'GET' | 'DELETE', path = ''): Promise<Response> {
  const response = await fetchAsUser(`/auth/v1/sessions${path}`, { method }).catch((cause: unknown) => {
    throw new NoResponseError(cause)
  })
  if (!response.ok) throw new Error(`${method} /sessions${path} returned ${response.status}`)
  return response
}

export function SessionsSection() {
  const { id } = useCustomer()
  const sessions = useQuery({ queryKey: ['own-sessions', id], queryFn: loadSessions })

  return (
    <Section
      title="Where you are signed in"
      intro="Don't recognise one? Sign it out and change your password."
    >
      {sessions.isPending && <Skeleton height={96} />}
      <LoadError what="Your sessions could not be loaded." query={sessions} />
      {sessions.data && <SessionList sessions={sessions.data} />}
      <SignOutEverywhere hasOthers={(sessions.data?.length ?? 0) > 1} />
    </Section>
  )
}

function SessionList({ sessions }: { sessions: OpenSession[] }) {
  const ending = useEndSession('Session ended', (id: string) => requestSessions('DELETE', `/${id}`))
  return (
    <ul className={styles.list}>
      {sessions.map((session) => (
        <Item
          key={session.id}
          Icon={MonitorSmartphone}
          title={`${deviceName(session.user_agent)}${session.current ? ' (this device)' : ''}`}
          detail={
            <>
              {session.ip && `${session.ip}, `}last used{' '}
              <LocalDate at={session.refreshed_at ?? session.created_at} />
            </>
          }
        >
          {!session.current && (
            <Button look="quiet" disabled={ending.isPending} onClick={() => ending.mutate(session.id)}>
              End session
            </Button>
          )}
        </Item>
      ))}
    </ul>
  )
}

function SignOutEverywhere({ hasOthers }: { hasOthers: boolean }) {
  const others = useEndSession('Signed out everywhere else', () =>
    queryBackend(({ auth }) => auth.signOut({ scope: 'others' })),
  )
  const everywhere = useEndSession('Signed out everywhere', () => {
    announceSignOut()
    return queryBackend(({ auth }) => auth.signOut({ scope: 'global' }))
  })

  return (
    <Row gap={3} align="stretch" wrap>
      {hasOthers && (
        <Button disabled={others.isPending} onClick={() => others.mutate('')}>
          Sign out everywhere else
        </Button>
      )}
      <Button look="danger" disabled={everywhere.isPending} onClick={() => everywhere.mutate('')}>
        Sign out everywhere
      </Button>
    </Row>
  )
}

function useEndSession(title: string, end: (id: string) => Promise<unknown>) {
  return useToastMutation({
    mutationFn: end,
    success: title,
    errorText: signOutFailure,
    invalidates: ['own-sessions'],
  })
}
