import { useParams } from 'react-router'
import { backendError } from '#app/data/backend-error.ts'
import { Grid, Panel, Stack } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { GuardedForms } from '../../form/guarded-forms.tsx'
import { Failure } from '../../list/resource-list.tsx'
import { InternalNotes } from '../../notes/internal-notes.tsx'
import { ClientConsent } from './client-consent.tsx'
import { ClientFigures } from './client-figures.tsx'
import { ClientHead } from './client-head.tsx'
import { ClientOrders } from './client-orders.tsx'
import { useAddClientNote, useClient, useClientNotes, type ClientOverview } from './client-queries.ts'
import styles from './client.module.css'
import { Duplicates } from './duplicates.tsx'
import { BackLink } from '../../frame/back-link.tsx'

export default function ClientPage() {
  const { clientId = '' } = useParams()
  const client = useClient(clientId)

  return (
    <Stack as="article" gap={5} aria-busy={client.isPending}>
      <BackLink to="/admin/clients">Clients</BackLink>
      {client.data ? (
        <ClientDetails key={clientId} client={client.data} />
      ) : client.isError ? (
        <ClientError error={client.error} onRetry={() => void client.refetch()} />
      ) : (
        <Loading />
      )}
    </Stack>
  )
}

function ClientDetails({ client }: { client: ClientOverview }) {
  return (
    <>
      <ClientHead client={client} />
      <ClientFigures client={client} />
      <Grid columns="minmax(0, 1fr)" gap={6} className={styles.columns}>
        <Stack gap={6} justify="start" shrinks>
          <ClientOrders client={client} />
          <Duplicates client={client} />
        </Stack>
        <Stack gap={6} justify="start" shrinks>
          <ClientNotes clientId={client.id} />
          <ClientConsent client={client} />
        </Stack>
      </Grid>
    </>
  )
}

function ClientNotes({ clientId }: { clientId: string }) {
  return (
    <GuardedForms>
      <InternalNotes notes={useClientNotes(clientId)} add={useAddClientNote(clientId)} />
    </GuardedForms>
  )
}

/** Offers a retry unless the client does not exist. */
function ClientError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  // 22P02: the id in the URL is malformed.
  const isMissing = backendError(error, 'client_not_found') ?? backendError(error)?.code === '22P02'
  if (!isMissing) return <Failure what="This client" error={error} onRetry={onRetry} />
  return (
    <Panel kind="empty" gap={3} align="center">
      <h2>Client not found</h2>
      <p>The account was closed, erased or merged into another one.</p>
    </Panel>
  )
}

function Loading() {
  return (
    <>
      <VisuallyHidden>Loading this client</VisuallyHidden>
      <Skeleton height={44} width={280} />
      <Skeleton height={96} />
      <Skeleton height={320} />
    </>
  )
}
