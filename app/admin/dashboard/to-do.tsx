import {
  BellRing,
  Hammer,
  Hourglass,
  Images,
  MailWarning,
  MessageSquare,
  PackageMinus,
  Truck,
  Undo2,
  type LucideIcon,
} from 'lucide-react'
import { Link } from 'react-router'
import { Grid, Text, Section } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { QueryFailure } from '../list/resource-list.tsx'
import { useAttentionCounts, type AttentionCounts } from '../frame/attention-counts.ts'
import { classNames } from '#app/ui/class-names.ts'
import styles from './dashboard.module.css'

type ToDoItem = [count: keyof AttentionCounts, label: string, to: string, icon: LucideIcon]

const URGENT: ToDoItem[] = [
  ['issues', 'Needs attention', 'needs-attention', BellRing],
  ['to_refund', 'To refund', 'orders?refund=due', Undo2],
  ['failed_mails', 'Failed e-mails', 'needs-attention#failed-mails', MailWarning],
]
/** Counts with the page of the admin area that lists what they count. */
export const TO_DO_ITEMS: ToDoItem[] = [
  ...URGENT,
  ['to_make', 'To make', 'orders?status=new', Hammer],
  ['to_ship', 'To ship', 'orders?status=processing', Truck],
  ['awaiting_payment', 'Awaiting payment', 'orders?status=pending_payment', Hourglass],
  ['low_stock', 'Low stock', 'low-stock', PackageMinus],
  ['pending_photos', 'Pending photos', 'gallery?status=pending', Images],
  ['open_messages', 'Messages', 'messages', MessageSquare],
]

/** The counts of waiting work, each with a link to its list. */
export function ToDo() {
  const work = useAttentionCounts()
  if (work.isError && work.data === undefined) {
    return <QueryFailure what="Your to-do list" query={work} />
  }

  return (
    <Section title="To do" level="h2" gap={4} aria-busy={work.isPending} className={styles.toDo}>
      <Grid as="ul" columns="repeat(3, minmax(0, 1fr))" gap={3} className={styles.items}>
        {TO_DO_ITEMS.map((item) => (
          <li key={item[0]}>
            <Item item={item} count={work.data?.[item[0]]} />
          </li>
        ))}
      </Grid>
    </Section>
  )
}

function Item({ item, count }: { item: ToDoItem; count: number | undefined }) {
  const [, label, to, Icon] = item
  const state = count === 0 ? 'done' : count && URGENT.includes(item) ? 'urgent' : undefined
  return (
    <Link to={`/admin/${to}`} className={classNames(styles.tile, styles.item)} data-state={state}>
      <Icon size={20} aria-hidden />
      <Text as="span" size="s" weight={600}>
        {label}
      </Text>
      <Text as="span" figure className={styles.itemFigure}>
        {count ?? <Skeleton width={28} height={28} />}
      </Text>
    </Link>
  )
}
