import { ChevronLeft } from 'lucide-react'
import { Link, useParams } from 'react-router'
import { isBackendError } from '#app/session/backend-error.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { VisuallyHidden } from '#app/ui/visually-hidden.tsx'
import { GuardedForms } from '../../list/guarded-forms.tsx'
import { Failure } from '../../list/resource-list.tsx'
import { InternalNotes } from '../../notes/internal-notes.tsx'
import { ClientConsent } from './client-consent.tsx'
import { ClientFigures } from './client-figures.tsx'
import { ClientHead } from './client-head.tsx'
import { ClientOrders } from './client-orders.tsx'
import { useAddClientNote, useClient, useClientNotes, type ClientOverview } from './client-queries.ts'
import styles from './client.module.css'
import { Duplicates } from './duplicates.tsx'

/** Everything about one client, at an address of its own. */
export default function ClientPage() {
  const { clientId = '' } = useParams()
  const client = useClient(clientId)

  return (
    <article className={styles.page} aria-busy={client.isPending}>
      <Link className={styles.back} to="/admin/clients">
        <ChevronLeft size={18} aria-hidden /> Clients
      </Link>
      {client.data ? (
        <WholePage key={clientId} client={client.data} />
      ) : client.isError ? (
        <NotShown error={client.error} onRetry={() => void client.refetch()} />
      ) : (
        <Waiting />
      )}
    </article>
  )
}

function WholePage({ client }: { client: ClientOverview }) {
  return (
    <>
      <ClientHead client={client} />
      <ClientFigures client={client} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <ClientOrders client={client} />
          <Duplicates client={client} />
        </div>
        <div className={styles.column}>
          <ClientNotes clientId={client.id} />
          <ClientConsent client={client} />
        </div>
      </div>
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

/** Trying again helps against a bad line, and not where there is nobody. */
function NotShown({ error, onRetry }: { error: Error; onRetry: () => void }) {
  // 22P02: the address holds no id at all.
  const isNobody =
    isBackendError(error.cause) &&
    (error.cause.details === 'client_not_found' || error.cause.code === '22P02')
  if (!isNobody) return <Failure what="This client" error={error} onRetry={onRetry} />
  return (
    <div className={styles.nobody}>
      <h2>There is no such client</h2>
      <p>The account was closed or erased, or became part of another one.</p>
    </div>
  )
}

function Waiting() {
  return (
    <>
      <VisuallyHidden>Loading this client</VisuallyHidden>
      <Skeleton height={44} width={280} />
      <Skeleton height={96} />
      <Skeleton height={320} />
    </>
  )
}
