import { Download } from 'lucide-react'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { numericDate, When } from '#app/ui/when.tsx'
import { csvText, saveCsv } from '../list/csv.ts'
import { ResourceList } from '../list/resource-list.tsx'
import { ResourceTable, type Column } from '../list/resource-table.tsx'
import { useSubscribers, type Subscriber } from './subscriber.ts'

const EMPTY = {
  title: 'Nobody yet',
  advice: 'Everybody who asks for news, in the popup, the footer or when signing up, stands here.',
}

/** Who asked for news, and who took it back. */
export default function Subscribers() {
  const subscribers = useSubscribers()
  const standing = (subscribers.data ?? []).filter(({ unsubscribed_at }) => unsubscribed_at === null)

  return (
    <ResourceList
      title="Newsletter subscribers"
      query={subscribers}
      rowsOf={(rows) => rows}
      empty={EMPTY}
      action={
        <Button disabled={standing.length === 0} onClick={() => exportCsv(standing)}>
          <Download size={18} aria-hidden /> Export CSV ({standing.length})
        </Button>
      }
    >
      {(rows) => (
        <ResourceTable
          caption="Newsletter subscribers, newest first"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ id }) => id}
        />
      )}
    </ResourceList>
  )
}

const SOURCES: Record<string, string> = {
  popup: 'Discount popup',
  footer: 'Footer',
  sign_up: 'Sign-up',
  shop: 'The shop',
}

const COLUMNS: Column<Subscriber>[] = [
  { label: 'Email', cell: ({ email }) => email },
  { label: 'Asked at', cell: ({ source }) => SOURCES[source] ?? source },
  { label: 'Since', cell: ({ created_at }) => <When at={created_at} /> },
  {
    label: 'Status',
    cell: ({ unsubscribed_at }) =>
      unsubscribed_at === null ? <Badge tone="success">Subscribed</Badge> : <Badge>Unsubscribed</Badge>,
  },
]

/** Only those who still want it: the file is for writing to them. */
function exportCsv(standing: Subscriber[]): void {
  const rows = standing.map(({ email, source, created_at }) => [
    email,
    SOURCES[source] ?? source,
    numericDate(created_at),
  ])
  saveCsv('newsletter-subscribers.csv', csvText(['Email', 'Asked at', 'Since'], rows))
}
