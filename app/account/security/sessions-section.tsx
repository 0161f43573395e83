import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { MonitorSmartphone } from 'lucide-react'
import { callAuthApi } from '#app/session/call-auth-api.ts'
import { loadBackend } from '#app/session/backend.ts'
import { Button } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { LocalDate } from '#app/ui/local-date.tsx'
import { useCustomer } from '../account-gate.tsx'
import { Failed } from '../failed.tsx'
import { Section } from '../section.tsx'
import { deviceName } from './device.ts'
import styles from './security.module.css'

interface OpenSession {
  id: string
  created_at: string
  refreshed_at: string | null
  user_agent: string | null
  ip: string | null
  current: boolean
}

export function SessionsSection() {
  const { id } = useCustomer()
  const sessions = useQuery({
    queryKey: ['own-sessions', id],
    queryFn: () => callAuthApi<OpenSession[]>('GET', '/sessions'),
  })

  return (
    <Section
      title="Where you are signed in"
      intro="Don't recognise one? Sign it out and change your password."
    >
      {sessions.isPending && <Skeleton height={96} />}
      {sessions.isError && (
        <Failed
          what="Your sessions could not be loaded."
          onRetry={() => void sessions.refetch()}
          isBusy={sessions.isFetching}
        />
      )}
      {sessions.data && <SessionList sessions={sessions.data} />}
      <SignOutEverywhere hasOthers={(sessions.data?.length ?? 0) > 1} />
    </Section>
  )
}

function SessionList({ sessions }: { sessions: OpenSession[] }) {
  const ending = useEnding({
    end: (id: string) => callAuthApi('DELETE', `/sessions/${id}`),
    told: 'Signed out there',
  })
  return (
    <ul className={styles.list}>
      {sessions.map((session) => (
        <li key={session.id} className={styles.item}>
          <MonitorSmartphone aria-hidden />
          <div>
            <p className={styles.name}>
              {deviceName(session.user_agent)}
              {session.current && ' (this one)'}
            </p>
            <p className={styles.detail}>
              {session.ip && `${session.ip}, `}last used{' '}
              <LocalDate at={session.refreshed_at ?? session.created_at} />
            </p>
          </div>
          {!session.current && (
            <Button look="quiet" disabled={ending.isPending} onClick={() => ending.mutate(session.id)}>
              End
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

function SignOutEverywhere({ hasOthers }: { hasOthers: boolean }) {
  const others = useEnding({ end: () => signOutWith('others'), told: 'Signed out everywhere else' })
  const everywhere = useEnding({ end: () => signOutWith('global'), told: 'Signed out everywhere' })

  return (
    <div className={styles.actions}>
      {hasOthers && (
        <Button disabled={others.isPending} onClick={() => others.mutate('')}>
          Sign out everywhere else
        </Button>
      )}
      <Button look="danger" disabled={everywhere.isPending} onClick={() => everywhere.mutate('')}>
        Sign out everywhere
      </Button>
    </div>
  )
}

async function signOutWith(scope: 'others' | 'global'): Promise<void> {
  const client = await loadBackend()
  const { error } = await client.auth.signOut({ scope })
  if (error) throw error
}

function useEnding({ end, told }: { end: (id: string) => Promise<unknown>; told: string }) {
  const queries = useQueryClient()
  const toast = useToast()
  return useMutation({
    mutationFn: end,
    onSuccess: () => toast({ title: told }),
    onError: () =>
      toast({ title: 'Error', description: 'It was not ended. Please try again.', tone: 'destructive' }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['own-sessions'] }),
  })
}
