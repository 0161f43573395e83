import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { invalidateSubjects, type QuerySubject } from '#app/data/query-keys.ts'
import { loadStaffBackend } from '#app/data/staff-backend.ts'
import { useToast } from '#app/ui/toaster.tsx'
import type { LiveNotification } from './notification.ts'
import { subscribeToShop } from './subscribe-to-shop.ts'
import { playChime, useSound } from './sound.ts'

/** Collects related changes, such as an order and its lines, into one refetch. */
const THROTTLE_MS = 300

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
    let refreshing: ReturnType<typeof setTimeout> | undefined
    function refresh() {
      void invalidateSubjects(queryClient, stale)
      stale.clear()
      refreshing = undefined
    }
    const stop = subscribeToShop(backend, {
      onNotification: (notification) => notify(notification),
      onChange(subjects) {
        for (const subject of subjects) stale.add(subject)
        refreshing ??= setTimeout(refresh, THROTTLE_MS)
      },
    })
    return () => {
      stop()
      clearTimeout(refreshing)
    }
  }, [backend, queryClient])

  return null
}
