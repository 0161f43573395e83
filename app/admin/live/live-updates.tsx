import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { loadBackend } from '#app/session/backend.ts'
import { useToast } from '#app/ui/toaster.tsx'
import { subscribeToShop, type LiveListener, type LiveNotification } from './subscribe-to-shop.ts'
import { ring, useSound } from './sound.ts'

/** Several changes at once, an order and its lines say, are one look at the lists. */
const TOGETHER_MS = 300

/** Keeps the lists up to date while they are looked at, and says what came in. Shows nothing itself. */
export function LiveUpdates() {
  const queryClient = useQueryClient()
  const toast = useToast()
  const sound = useSound()
  const tell = useEffectEvent((news: LiveNotification) => {
    toast({ ...news, isUnprompted: true, waitsForDialog: true })
    if (sound.isOn) ring()
  })

  useEffect(() => {
    const stale = new Set<string>()
    let refreshing: ReturnType<typeof setTimeout> | undefined
    function refresh() {
      for (const list of stale) void queryClient.invalidateQueries({ queryKey: [list] })
      stale.clear()
      refreshing = undefined
    }
    const stop = followUntilStopped({
      onNotification: (news) => tell(news),
      onChange(lists) {
        for (const list of lists) stale.add(list)
        refreshing ??= setTimeout(refresh, TOGETHER_MS)
      },
    })
    return () => {
      stop()
      clearTimeout(refreshing)
    }
  }, [queryClient])

  return null
}

function followUntilStopped(follower: LiveListener): () => void {
  const stopped = new AbortController()
  async function follow() {
    const backend = await loadBackend()
    if (stopped.signal.aborted) return
    stopped.signal.addEventListener('abort', subscribeToShop(backend, follower))
  }
  follow().catch((error: unknown) => console.error('the admin area is not live', error))
  return () => stopped.abort()
}
