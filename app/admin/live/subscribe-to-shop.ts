import type { RealtimePostgresChangesPayload } from '@supabase/supabase-js'
import type { ShopClient } from '#database'
import { orderNumberText } from '#domain/order-status.ts'
import { centsFromRand, formatTotal } from '#domain/money.ts'

/** Something that a brother wants to know wherever he is in the admin area. */
export interface LiveNotification {
  title: string
  description: string
}

export interface LiveListener {
  /** The first words of the query keys whose lists are out of date. */
  onChange: (lists: string[]) => void
  onNotification: (news: LiveNotification) => void
}

type Change = RealtimePostgresChangesPayload<Record<string, unknown>>

const AGAIN_AFTER_MS = 5_000
/** The same change may come with others of the order; its payment is news only when it has just come. */
const JUST_NOW_MS = 60_000

/** What is on a list of each table, and what about a change of it is news. */
const TABLES: Record<string, { lists: string[]; news: (change: Change) => LiveNotification | null }> = {
  orders: { lists: ['orders', 'payment-issues', 'attention-counts'], news: newPaidOrder },
  contact_submissions: { lists: ['messages', 'attention-counts'], news: newMessage },
  contact_answers: { lists: ['messages', 'attention-counts'], news: () => null },
  gallery_submissions: { lists: ['gallery', 'attention-counts'], news: newPhoto },
}

/** Follows orders, messages and photos as they change, until the returned function is called. */
export function subscribeToShop(backend: ShopClient, follower: LiveListener): () => void {
  const everything = Object.values(TABLES).flatMap(({ lists }) => lists)
  const onChange = notifyOnce(follower)
  const stopped = new AbortController()
  let isFirst = true

  function follow(): void {
    if (stopped.signal.aborted) return
    const channel = backend.channel('admin')
    for (const table of Object.keys(TABLES)) {
      channel.on('postgres_changes', { event: '*', schema: 'public', table }, onChange)
    }
    channel.on('system', {}, ({ status }: { status: string }) => {
      // What happened while nobody listened is fetched.
      if (status === 'ok' && !isFirst) follower.onChange(everything)
      isFirst = false
    })
    // The server closes a channel whose token has run out, and the client leaves it at that.
    channel.subscribe((status: string) => {
      if (status === 'CLOSED') setTimeout(follow, AGAIN_AFTER_MS)
    })
    stopped.signal.addEventListener('abort', () => void backend.removeChannel(channel))
  }

  void backend.realtime.setAuth().then(follow)
  return () => stopped.abort()
}

/** An order that was paid changes more than once in its first minute. */
function notifyOnce({ onChange, onNotification }: LiveListener): (change: Change) => void {
  const told = new Set<unknown>()
  return (change) => {
    const { lists, news } = TABLES[change.table] ?? { lists: [], news: () => null }
    onChange(lists)
    const what = news(change)
    const id = 'id' in change.new ? change.new.id : null
    if (!what || told.has(id)) return
    told.add(id)
    onNotification(what)
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
