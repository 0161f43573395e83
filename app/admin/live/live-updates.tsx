import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { invalidateSubjects, type QuerySubject } from '#app/data/query-keys.ts'
import { loadStaffBackend } from '#app/data/staff-backend.ts'
import { endsWithin } from '#app/data/ends-within.ts'
import { useToast } from '#app/ui/toaster.tsx'
import type { LiveNotification } from './notification.ts'
import { subscribeToShop } from './subscribe-to-shop.ts'
import { playChime, useSound } from './sound.ts'

/** Collects related changes, such as an order and its lines, into one refetch. */
const THROTTLE_MS = 300
/** The next refetch does not wait longer for a slow one. */
const LONGEST_REFETCH_MS = 5000

/** Loads the client until it succeeds: nothing on the page shows that it is not live. */
const CLIENT = queryOptions({
  queryKey: ['live-client'],
  queryFn: loadStaffBackend,
  staleTime: Infinity,
  gcTime: Infinity,
  retry: true,
})

/** Invalidates lists when the shop's data changes and shows toasts for new orders, messages and photos. Renders nothing. */
export function LiveUpdates() {
  const queryClient = useQueryClient()
  const { data: backend } = useQuery(CLIENT)
  const toast = useToast()
  const sound = useSound()
  const notify = useEffectEvent((notification: LiveNotification) => {
    toast({ ...notification, isUnprompted: true, waitsForDialog: true })
    if (sound.isOn) playChime()
  })

  useEffect(() => {
    if (!backend) return
    const stale = new Set<QuerySubject>()
    let isStopped = false
    let refreshing: ReturnType<typeof setTimeout> | undefined
    async function refresh() {
      const due = [...stale]
      stale.clear()
      // Changes that follow fast must not begin each load again before it ends.
      await endsWithin(invalidateSubjects(queryClient, due), LONGEST_REFETCH_MS)
      refreshing = undefined
      if (stale.size > 0 && !isStopped) plan()
    }
    function plan() {
      refreshing ??= setTimeout(() => void refresh(), THROTTLE_MS)
    }
    const stop = subscribeToShop(backend, {
      onNotification: (notification) => notify(notification),
      onChange(subjects) {
        for (const subject of subjects) stale.add(subject)
        plan()
      },
    })
    return () => {
      isStopped = true
      stop()
      clearTimeout(refreshing)
    }
  }, [backend, queryClient])

  return null
}
