import { Banknote, Lock, Mail as MailIcon, RefreshCw, type LucideIcon } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Hint, Row, Stack, Text, Section } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { Failure } from '../../list/resource-list.tsx'
import { MailDialog } from '../../mail/mail-dialog.tsx'
import { MailState } from '../../mail/mail-state.tsx'
import { useMailsOfOrder, type Mail } from '../../mail/sent-mails.ts'
import { usePaymentRecord } from '../payment/payment-record-query.ts'
import { timelineOf, type TimelineEntry, type TimelineKind } from './timeline.ts'
import styles from './timeline.module.css'
import { useNames } from '../../notes/names.ts'
import { useInternalNotes, useOrderEvents } from '../order-queries.ts'
import { LogEntry } from '../../frame/log-entry.tsx'

export function TimelineSection({ orderId }: { orderId: string }) {
  const events = useOrderEvents(orderId)
  const mails = useMailsOfOrder(orderId)
  const notes = useInternalNotes(orderId)
  const record = usePaymentRecord(orderId)
  const queries = [events, mails, notes, record]
  const failed = queries.find((query) => query.isError && query.data === undefined)

  const retry = () => {
    for (const query of queries) if (query.isError) void query.refetch()
  }

  return (
    <Section title="Timeline" aria-busy={queries.some((query) => query.isPending)}>
      {failed?.error && <Failure what="The timeline" error={failed.error} onRetry={retry} />}
      {!failed && queries.some((query) => query.isPending) && <Skeleton height={240} />}
      {events.data && mails.data && notes.data && record.data && (
        <Entries
          entries={timelineOf({
            events: events.data,
            mails: mails.data,
            notes: notes.data,
            record: record.data,
          })}
        />
      )}
    </Section>
  )
}

const FILTERS: { label: string; kind: TimelineKind | null }[] = [
  { label: 'All', kind: null },
  { label: 'Changes', kind: 'change' },
  { label: 'Payment', kind: 'payment' },
  { label: 'E-mails', kind: 'mail' },
  { label: 'Notes', kind: 'note' },
]

function Entries({ entries }: { entries: TimelineEntry[] }) {
  const [kind, setKind] = useState<TimelineKind | null>(null)
  const [openMail, setOpenMail] = useState<Mail | null>(null)
  const names = useNames(entries.flatMap(({ personId }) => personId ?? []))
  const shown = entries.filter((entry) => kind === null || entry.kind === kind)

  return (
    <>
      <Row gap={2} align="stretch" wrap role="group" aria-label="Show">
        {FILTERS.map(({ label, kind: filter }) => (
          <button
            key={label}
            type="button"
            className={styles.chip}
            aria-pressed={kind === filter}
            onClick={() => setKind(filter)}
          >
            {label}
          </button>
        ))}
      </Row>
      {shown.length === 0 && <Hint>No entries of this kind yet.</Hint>}
      <Stack as="ol" size="s">
        {shown.map((entry) => (
          <Entry
            key={entry.key}
            entry={entry}
            who={(entry.personId && names.data?.get(entry.personId)) || entry.actor}
            onOpenMail={setOpenMail}
          />
        ))}
      </Stack>
      {openMail && <MailDialog mail={openMail} onClose={() => setOpenMail(null)} />}
    </>
  )
}

const ICONS: Record<TimelineKind, LucideIcon> = {
  change: RefreshCw,
  payment: Banknote,
  mail: MailIcon,
  note: Lock,
}

interface EntryProps {
  entry: TimelineEntry
  who: string
  onOpenMail: (mail: Mail) => void
}

function Entry({ entry, who, onOpenMail }: EntryProps) {
  const { kind, at, title, to, detail, mail } = entry
  return (
    <LogEntry icon={ICONS[kind]} tone={kind === 'note' ? 'warning' : 'muted'}>
      <div>
        <Row as="p" gap={1} columnGap={2} wrap weight={650}>
          {mail ? (
            <button type="button" className={styles.open} onClick={() => onOpenMail(mail)}>
              {title}
            </button>
          ) : to ? (
            <Link to={to}>{title}</Link>
          ) : (
            <span>{title}</span>
          )}
          {mail && <MailState mail={mail} />}
        </Row>
        {detail && <Text preLine>{detail}</Text>}
        <Text tone="muted" size="xs">
          {who}, <LocalDateTime at={at} />
        </Text>
      </div>
    </LogEntry>
  )
}
