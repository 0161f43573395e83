import type { RealtimePostgresChangesPayload } from '@supabase/supabase-js'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import { orderNumberText } from '#domain/order-status.ts'

/** Shown as a toast on every admin page. */
export interface LiveNotification {
  title: string
  description: string
}

export type LiveChange = RealtimePostgresChangesPayload<Record<string, unknown>>

/** Later changes of a paid order must not announce its payment again. */
const JUST_NOW_MS = 60_000

const NOTIFICATIONS: Record<string, (change: LiveChange) => LiveNotification | null> = {
  orders: newPaidOrder,
  contact_submissions: newMessage,
  gallery_submissions: newPhoto,
}

/** What to announce about a change of the shop's data; null for most changes. */
export function notificationOf(change: LiveChange): LiveNotification | null {
  return NOTIFICATIONS[change.table]?.(change) ?? null
}

function newPaidOrder({ new: order, commit_timestamp: at }: LiveChange): LiveNotification | null {
  if (!('paid_at' in order) || typeof order.paid_at !== 'string' || order.status !== 'new') return null
  if (Math.abs(Date.parse(at) - Date.parse(order.paid_at)) > JUST_NOW_MS) return null
  const total = formatTotal(centsFromRand(Number(order.total_amount)))
  return {
    title: 'New paid order',
    description: `#${orderNumberText(Number(order.order_number))} · ${total}`,
  }
}

function newMessage({ eventType, new: message }: LiveChange): LiveNotification | null {
  if (eventType !== 'INSERT' || !('name' in message)) return null
  return { title: 'New message', description: `${String(message.name)}: ${String(message.subject)}` }
}

function newPhoto({ eventType, new: photo }: LiveChange): LiveNotification | null {
  if (eventType !== 'INSERT' || !('customer_name' in photo)) return null
  return { title: 'New photo', description: `From ${String(photo.customer_name)}` }
}
