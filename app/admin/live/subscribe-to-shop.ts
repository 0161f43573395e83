import type { QuerySubject } from '#app/data/query-keys.ts'
import type { ShopClient } from '#database'
import { ADMIN_PAGES } from '../pages.ts'
import { notificationOf, type LiveChange, type LiveNotification } from './notification.ts'

export interface LiveListener {
  /** Receives the subjects whose queries became out of date. */
  onChange: (subjects: QuerySubject[]) => void
  onNotification: (notification: LiveNotification) => void
}

const RECONNECT_AFTER_MS = 5_000

/** The subjects whose queries a change of each table makes out of date. */
const SUBJECTS = new Map<string, QuerySubject[]>()
for (const { live = {} } of ADMIN_PAGES) {
  for (const [table, subjects] of Object.entries(live))
    SUBJECTS.set(table, [...(SUBJECTS.get(table) ?? []), ...subjects])
}

/** Subscribes to changes of orders, messages and photos. Returns a function that unsubscribes. */
export function subscribeToShop(backend: ShopClient, listener: LiveListener): () => void {
  const allSubjects = [...SUBJECTS.values()].flat()
  const onChange = notifyOnce(listener)
  const stopped = new AbortController()

  function connect(): void {
    if (stopped.signal.aborted) return
    const channel = backend.channel('admin')
    for (const table of SUBJECTS.keys()) {
      channel.on('postgres_changes', { event: '*', schema: 'public', table }, onChange)
    }
    channel.on('system', {}, ({ status }: { status: string }) => {
      // What changed since the page was loaded, or while the connection was lost, has not been announced.
      if (status === 'ok') listener.onChange(allSubjects)
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
function notifyOnce({ onChange, onNotification }: LiveListener): (change: LiveChange) => void {
  const notified = new Set<unknown>()
  return (change) => {
    onChange(SUBJECTS.get(change.table) ?? [])
    const notification = notificationOf(change)
    const id = 'id' in change.new ? change.new.id : null
    if (!notification || notified.has(id)) return
    notified.add(id)
    onNotification(notification)
  }
}
