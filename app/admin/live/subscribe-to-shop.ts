import type { RealtimePostgresChangesPayload } from '@supabase/supabase-js'
import type { QuerySubject } from '#app/data/query-keys.ts'
import type { ShopClient } from '#database'
import { orderNumberText } from '#domain/order-status.ts'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import { ADMIN_PAGES } from '../pages.ts'

/** Shown as a toast on every admin page. */
export interface LiveNotification {
  title: string
  description: string
}

export interface LiveListener {
  /** Receives the subjects whose queries became out of date. */
  onChange: (subjects: QuerySubject[]) => void
  onNotification: (notification: LiveNotification) => void
}

type Change = RealtimePostgresChangesPayload<Record<string, unknown>>

const RECONNECT_AFTER_MS = 5_000
/** Later changes of a paid order must not announce its payment again. */
const JUST_NOW_MS = 60_000

/** The subjects whose queries a change of each table makes out of date. */
const SUBJECTS = new Map<string, QuerySubject[]>()
for (const { live = {} } of ADMIN_PAGES) {
  for (const [table, subjects] of Object.entries(live))
    SUBJECTS.set(table, [...(SUBJECTS.get(table) ?? []), ...subjects])
}

const NOTIFICATIONS: Record<string, (change: Change) => LiveNotification | null> = {
  orders: newPaidOrder,
  contact_submissions: newMessage,
  gallery_submissions: newPhoto,
}

/** Subscribes to changes of orders, messages and photos. Returns a function that unsubscribes. */
export function subscribeToShop(backend: ShopClient, listener: LiveListener): () => void {
  const allSubjects = [...SUBJECTS.values()].flat()
  const onChange = notifyOnce(listener)
  const stopped = new AbortController()
  let isFirst = true

  function connect(): void {
    if (stopped.signal.aborted) return
    const channel = backend.channel('admin')
    for (const table of SUBJECTS.keys()) {
      channel.on('postgres_changes', { event: '*', schema: 'public', table }, onChange)
    }
    channel.on('system', {}, ({ status }: { status: string }) => {
      // After a reconnect, fetch what changed in between.
      if (status === 'ok' && !isFirst) listener.onChange(allSubjects)
      isFirst = false
    })
    // The server closes a channel when its token expires, and the client does not reconnect by itself.
    channel.subscribe((status: string) => {
      if (status === 'CLOSED') setTimeout(connect, RECONNECT_AFTER_MS)
    })
    stopped.signal.addEventListener('abort', () => void backend.removeChannel(channel))
  }

  void backend.realtime.setAuth().then(connect)
  return () => stopped.abort()
}

/** A paid order changes more than once in its first minute; only the first change notifies. */
function notifyOnce({ onChange, onNotification }: LiveListener): (change: Change) => void {
  const notified = new Set<unknown>()
  return (change) => {
    onChange(SUBJECTS.get(change.table) ?? [])
    const notification = NOTIFICATIONS[change.table]?.(change)
    const id = 'id' in change.new ? change.new.id : null
    if (!notification || notified.has(id)) return
    notified.add(id)
    onNotification(notification)
  }
}

function newPaidOrder({ new: order, commit_timestamp: at }: Change): LiveNotification | null {
  if (!('paid_at' in order) || typeof order.paid_at !== 'string' || order.status !== 'new') return null
  if (Math.abs(Date.parse(at) - Date.parse(order.paid_at)) > JUST_NOW_MS) return null
  const total = formatTotal(centsFromRand(Number(order.total_amount)))
  return {
    title: 'New paid order',
    description: `#${orderNumberText(Number(order.order_number))} · ${total}`,
  }
}

function newMessage({ eventType, new: message }: Change): LiveNotification | null {
  if (eventType !== 'INSERT' || !('name' in message)) return null
  return { title: 'New message', description: `${String(message.name)}: ${String(message.subject)}` }
}

function newPhoto({ eventType, new: photo }: Change): LiveNotification | null {
  if (eventType !== 'INSERT' || !('customer_name' in photo)) return null
  return { title: 'New photo', description: `From ${String(photo.customer_name)}` }
}
