import { MailX } from 'lucide-react'
import { useState } from 'react'
import { Badge, type BadgeTone } from '#app/ui/badge.tsx'
import { IconButton } from '#app/ui/button.tsx'
import { Text, Stack } from '#app/ui/layout.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { ExportButton } from '../export/export-button.tsx'
import { ListScreen } from '../list/list-screen.tsx'
import type { TableColumn } from '../list/resource-table.tsx'
import { useList } from '../list/use-list.ts'
import {
  CONSENTS,
  SOURCES,
  SUBSCRIBERS,
  SUBSCRIBERS_FILE,
  useUnsubscribe,
  type Subscriber,
  type SubscriberConsent,
} from './subscriber-list.ts'
import { DeleteDialog } from '../form/delete-dialog.tsx'

const EMPTY = {
  title: 'No subscribers yet',
  advice: 'Everyone who asks for news in the popup, in the footer or at sign-up appears here.',
}

/** Newsletter subscribers with their consent. */
export default function Subscribers() {
  const subscribers = useList(SUBSCRIBERS)
  const unsubscribe = useUnsubscribe()
  const [selected, setSelected] = useState<Subscriber | null>(null)

  return (
    <>
      <ListScreen
        list={subscribers}
        empty={EMPTY}
        columns={columns(setSelected)}
        action={<ExportButton list={subscribers} file={SUBSCRIBERS_FILE} />}
      />
      <DeleteDialog
        title="Unsubscribe"
        question={`${selected?.email ?? 'This address'} will get no more news. The consent history will show that the shop unsubscribed it on request. Only its owner can subscribe again.`}
        label="Unsubscribe"
        busyLabel="Unsubscribing..."
        row={selected}
        mutation={unsubscribe}
        onClose={() => setSelected(null)}
      />
    </>
  )
}

function columns(onUnsubscribe: (subscriber: Subscriber) => void): TableColumn<Subscriber>[] {
  return [
    { label: 'E-mail', sort: 'email', cell: ({ email }) => email },
    { label: 'Source', cell: ({ source }) => SOURCES[source] ?? source },
    { label: 'Since', sort: 'created_at', cell: ({ created_at }) => <RelativeTime at={created_at} /> },
    { label: 'Consent', cell: (subscriber) => <Consent subscriber={subscriber} /> },
    {
      label: 'Actions',
      kind: 'actions',
      cell: (subscriber) =>
        subscriber.unsubscribed_at === null && (
          <IconButton
            icon={MailX}
            label={`Unsubscribe ${subscriber.email}`}
            onClick={() => onUnsubscribe(subscriber)}
          />
        ),
    },
  ]
}

const TONES: Record<SubscriberConsent, BadgeTone> = {
  agreed: 'success',
  pending: 'warning',
  not_asked: 'warning',
  withdrew: 'neutral',
  unsubscribed: 'neutral',
}

function Consent({ subscriber: { consent, wording, said_at } }: { subscriber: Subscriber }) {
  return (
    <Stack as="span" align="start">
      <Badge tone={TONES[consent]}>{CONSENTS[consent]}</Badge>
      {wording && said_at && (
        <Text as="span" tone="muted" size="xs" style={{ maxWidth: '44ch' }}>
          “{wording}” <RelativeTime at={said_at} />
        </Text>
      )}
    </Stack>
  )
}
