import { CircleCheck, CircleX } from 'lucide-react'
import { Hint, Section, Text, Stack } from '#app/ui/layout.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { Loaded } from '../../list/resource-list.tsx'
import { useConsentHistory, type ConsentEntry, type ClientOverview } from './client-queries.ts'
import { LogEntry } from '../../frame/log-entry.tsx'

/** The current consent and its history, with the wording that the client saw. */
export function ClientConsent({ client }: { client: ClientOverview }) {
  const history = useConsentHistory(client)
  const email = client.email?.toLowerCase()

  return (
    <Section title="Consent" aria-busy={history.isPending}>
      <p>
        {client.consent.is_given
          ? 'Wants news and offers by e-mail.'
          : 'No news and offers by e-mail. Order e-mails are always sent.'}
      </p>
      <Loaded what="The history" query={history} height={60}>
        {(entries) =>
          entries.length === 0 ? (
            <Hint breakWords>No consent recorded yet.</Hint>
          ) : (
            <Stack as="ol">
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} isOtherAddress={entry.email !== email} />
              ))}
            </Stack>
          )
        }
      </Loaded>
    </Section>
  )
}

function Entry({ entry, isOtherAddress }: { entry: ConsentEntry; isOtherAddress: boolean }) {
  const { is_given, source, email, wording, created_at } = entry
  return (
    <LogEntry icon={is_given ? CircleCheck : CircleX} tone={is_given ? 'success' : 'muted'}>
      <div>
        <p>
          <strong>{is_given ? 'Agreed' : 'Withdrew'}</strong>, {source}
          {isOtherAddress && `, as ${email}`}
        </p>
        <Text as="blockquote" breakWords>
          {wording}
        </Text>
        <Hint breakWords>
          <LocalDateTime at={created_at} />
        </Hint>
      </div>
    </LogEntry>
  )
}
