import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'
import { signedInHeaders } from '#app/data/backend.ts'
import { queryBackend } from '#app/data/query-backend.ts'
import { Button } from '#app/ui/button.tsx'
import { Hint, Row, Text } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { LocalDate } from '#app/ui/local-date.tsx'
import { useCustomer } from '../account-gate.tsx'
import { LoadError } from '../load-error.tsx'
import { Section } from '../section.tsx'
import { deviceName } from '../../data/device.ts'
import styles from './security.module.css'

interface OpenSession {
  id: string
  created_at: string
  refreshed_at: string | null
  user_agent: string | null
  ip: string | null
  current: boolean
}

async function loadSessions(): Promise<OpenSession[]> {
  const response = await requestSessions('GET')
  return response.json()
}

/** The client has no method for the list of sessions. */
async function requestSessions(method: 'GET' | 'DELETE', path = ''): Promise<Response> {
  const response = await fetch(`/auth/v1/sessions${path}`, { method, headers: await signedInHeaders() })
  if (!response.ok) throw new Error(`${method} /sessions${path} returned ${response.status}`)
  return response
}

export function SessionsSection() {
  const { id } = useCustomer()
  const sessions = useQuery({
    queryKey: ['own-sessions', id],
    queryFn: loadSessions,
  })

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
  const ending = useEndSession({
    end: (id: string) => requestSessions('DELETE', `/${id}`),
    successTitle: 'Session ended',
  })
  return (
    <ul className={styles.list}>
      {sessions.map((session) => (
        <li key={session.id} className={styles.item}>
          <MonitorSmartphone aria-hidden />
          <div>
            <Text weight={600}>
              {deviceName(session.user_agent)}
              {session.current && ' (this device)'}
            </Text>
            <Hint>
              {session.ip && `${session.ip}, `}last used{' '}
              <LocalDate at={session.refreshed_at ?? session.created_at} />
            </Hint>
          </div>
          {!session.current && (
            <Button look="quiet" disabled={ending.isPending} onClick={() => ending.mutate(session.id)}>
              End session
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

function SignOutEverywhere({ hasOthers }: { hasOthers: boolean }) {
  const others = useEndSession({
    end: () => queryBackend(({ auth }) => auth.signOut({ scope: 'others' })),
    successTitle: 'Signed out everywhere else',
  })
  const everywhere = useEndSession({
    end: () => queryBackend(({ auth }) => auth.signOut({ scope: 'global' })),
    successTitle: 'Signed out everywhere',
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

function useEndSession({
  end,
  successTitle,
}: {
  end: (id: string) => Promise<unknown>
  successTitle: string
}) {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: end,
    onSuccess: () => toast({ title: successTitle }),
    onError: () =>
      toast({ title: 'Error', description: 'The sign-out failed. Please try again.', tone: 'destructive' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['own-sessions'] }),
  })
}
