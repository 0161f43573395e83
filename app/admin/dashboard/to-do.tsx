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
import { Grid, Stack, Text } from '#app/ui/layout.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { QueryFailure } from '../list/resource-list.tsx'
import { useAttentionCounts, type AttentionCounts } from '../frame/attention-counts.ts'
import styles from './to-do.module.css'

interface ToDoItem {
  count: keyof AttentionCounts
  label: string
  to: string
  icon: LucideIcon
  isUrgent?: boolean
}

const TO_DO_ITEMS: ToDoItem[] = [
  {
    count: 'issues',
    label: 'Needs attention',
    to: '/admin/needs-attention',
    icon: BellRing,
    isUrgent: true,
  },
  {
    count: 'to_refund',
    label: 'To refund',
    to: '/admin/orders?refund=due',
    icon: Undo2,
    isUrgent: true,
  },
  {
    count: 'failed_mails',
    label: 'Failed e-mails',
    to: '/admin/needs-attention#failed-mails',
    icon: MailWarning,
    isUrgent: true,
  },
  { count: 'to_make', label: 'To make', to: '/admin/orders?status=new', icon: Hammer },
  { count: 'to_ship', label: 'To ship', to: '/admin/orders?status=processing', icon: Truck },
  {
    count: 'awaiting_payment',
    label: 'Awaiting payment',
    to: '/admin/orders?status=pending_payment',
    icon: Hourglass,
  },
  { count: 'low_stock', label: 'Low stock', to: '/admin/low-stock', icon: PackageMinus },
  { count: 'pending_photos', label: 'Pending photos', to: '/admin/gallery?status=pending', icon: Images },
  { count: 'open_messages', label: 'Messages', to: '/admin/messages', icon: MessageSquare },
]

/** The counts of waiting work, each with a link to its list. */
export function ToDo() {
  const work = useAttentionCounts()
  if (work.isError && work.data === undefined) {
    return <QueryFailure what="Your to-do list" query={work} />
  }

  return (
    <Stack as="section" gap={4} aria-label="To do" aria-busy={work.isPending} className={styles.toDo}>
      <h2>To do</h2>
      <Grid as="ul" columns="repeat(3, minmax(0, 1fr))" gap={3} className={styles.items}>
        {TO_DO_ITEMS.map(({ count: name, label, to, icon: Icon, isUrgent }) => {
          const count = work.data?.[name]
          return (
            <li key={name}>
              <Link
                to={to}
                className={styles.item}
                data-state={count === 0 ? 'done' : isUrgent && count ? 'urgent' : undefined}
              >
                <Icon size={20} aria-hidden />
                <Text as="span" size="s" weight={600}>
                  {label}
                </Text>
                <span className={styles.figure}>
                  {count === undefined ? <Skeleton width={28} height={28} /> : count}
                </span>
              </Link>
            </li>
          )
        })}
      </Grid>
    </Stack>
  )
}
