import { CircleCheck, CircleX } from 'lucide-react'
import { Hint, Stack } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { QueryFailure } from '../../list/resource-list.tsx'
import { useConsentHistory, type ConsentEntry, type ClientOverview } from './client-queries.ts'
import styles from './client.module.css'

/** The current consent and its history, with the wording that the client saw. */
export function ClientConsent({ client }: { client: ClientOverview }) {
  const history = useConsentHistory(client)

  return (
    <Stack as="section" gap={3} aria-label="Consent" aria-busy={history.isPending}>
      <h3>Consent</h3>
      <p>
        {client.consent.is_given
          ? 'Wants news and offers by e-mail.'
          : 'No news and offers by e-mail. Order e-mails are always sent.'}
      </p>
      {history.isPending && <Skeleton height={60} />}
      {history.isError && !history.data && <QueryFailure what="The history" query={history} />}
      {history.data?.length === 0 && <Hint breakWords>No consent recorded yet.</Hint>}
      {history.data && history.data.length > 0 && (
        <ol className={styles.consents}>
          {history.data.map((entry) => (
            <Entry
              key={entry.id}
              entry={entry}
              isOtherAddress={entry.email !== client.email?.toLowerCase()}
            />
          ))}
        </ol>
      )}
    </Stack>
  )
}

function Entry({ entry, isOtherAddress }: { entry: ConsentEntry; isOtherAddress: boolean }) {
  const Icon = entry.is_given ? CircleCheck : CircleX
  return (
    <li className={styles.consent} data-given={entry.is_given}>
      <Icon size={18} aria-hidden />
      <div>
        <p>
          <strong>{entry.is_given ? 'Agreed' : 'Withdrew'}</strong>, {entry.source}
          {isOtherAddress && `, as ${entry.email}`}
        </p>
        <blockquote>{entry.wording}</blockquote>
        <Hint breakWords>
          <LocalDateTime at={entry.created_at} />
        </Hint>
      </div>
    </li>
  )
}
