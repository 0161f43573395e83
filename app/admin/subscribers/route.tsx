import { MailX } from 'lucide-react'
import { useState } from 'react'
import { Badge, type BadgeTone } from '#app/ui/badge.tsx'
import { IconButton } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { RelativeTime } from '../list/relative-time.tsx'
import { ExportButton } from '../list/export-button.tsx'
import { ListScreen } from '../list/list-screen.tsx'
import type { Column } from '../list/resource-table.tsx'
import { useList } from '../list/use-list.ts'
import { CONSENTS, SOURCES, SUBSCRIBERS, SUBSCRIBERS_FILE } from './subscriber-list.ts'
import { useTakeOff, type Subscriber, type SubscriberConsent } from './subscriber.ts'
import styles from './subscribers.module.css'

const EMPTY = {
  title: 'No subscribers yet',
  advice: 'Everyone who asks for news in the popup, in the footer or at sign-up appears here.',
}

/** Who asked for news, what they agreed to, and who took it back. */
export default function Subscribers() {
  const subscribers = useList(SUBSCRIBERS)
  const [leaving, setLeaving] = useState<Subscriber | null>(null)

  return (
    <>
      <ListScreen
        list={subscribers}
        empty={EMPTY}
        columns={columns(setLeaving)}
        action={<ExportButton list={subscribers} file={SUBSCRIBERS_FILE} />}
      />
      <TakeOffDialog subscriber={leaving} onClose={() => setLeaving(null)} />
    </>
  )
}

function columns(onTakeOff: (subscriber: Subscriber) => void): Column<Subscriber>[] {
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
          <IconButton label={`Unsubscribe ${subscriber.email}`} onClick={() => onTakeOff(subscriber)}>
            <MailX size={20} aria-hidden />
          </IconButton>
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
    <span className={styles.consent}>
      <Badge tone={TONES[consent]}>{CONSENTS[consent]}</Badge>
      {wording && said_at && (
        <span className={styles.words}>
          “{wording}” <RelativeTime at={said_at} />
        </span>
      )}
    </span>
  )
}

function TakeOffDialog({ subscriber, onClose }: { subscriber: Subscriber | null; onClose: () => void }) {
  const takeOff = useTakeOff()

  return (
    <ConfirmDialog
      title="Unsubscribe"
      question={`${subscriber?.email ?? 'This address'} gets no more news, and the consent record says that the shop unsubscribed it on request. Only its owner can subscribe again.`}
      confirm={{ label: 'Unsubscribe', busyLabel: 'Unsubscribing...', isBusy: takeOff.isPending }}
      isOpen={subscriber !== null}
      onConfirm={() => subscriber && takeOff.mutate(subscriber, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
