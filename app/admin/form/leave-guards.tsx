import { useIsMutating } from '@tanstack/react-query'
import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useBlocker, type Blocker } from 'react-router'
import { useLatest } from '#app/ui/use-latest.ts'

type IsDirty = () => boolean

/**
 * `running` while a save runs or its pages are being refreshed. Guards ask only afterwards, because the save may leave nothing to lose, or
 * when it is `slow`, because it may be waiting for a lost connection.
 */
type SaveState = 'none' | 'running' | 'slow'

interface LeaveGuards {
  blocker: Blocker
  saveState: SaveState
  /** Whether this guard must ask: of several with unsaved changes, the one that registered last. */
  waitsFor: (isDirty: IsDirty) => boolean
  register: (isDirty: IsDirty) => () => void
  /** Goes on with a blocked navigation. */
  goOn: () => void
  /** Goes on with it if no guard has unsaved changes any more. */
  goOnIfClean: () => void
}

const LeaveGuardsContext = createContext<LeaveGuards | null>(null)

/**
 * Holds the only navigation blocker of the admin area. The router consults only the blocker registered last: with one per form, a
 * dialog's form would hide the unsaved changes of the page below it.
 */
export function LeaveGuards({ children }: { children: ReactNode }) {
  const guards = useRef<IsDirty[]>([])
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && guards.current.some((isDirty) => isDirty()),
  )
  const saveState = useSaveState()
  /** A navigation that goes on stays `blocked` until the next rendering, and may go on only once. */
  const proceeding = useRef<Blocker>(null)
  const goOn = useCallback(() => {
    if (blocker.state !== 'blocked' || blocker === proceeding.current) return
    proceeding.current = blocker
    blocker.proceed()
  }, [blocker])
  const goOnIfClean = useCallback(() => {
    if (saveState !== 'running' && !guards.current.some((isDirty) => isDirty())) goOn()
  }, [saveState, goOn])
  const latest = useLatest(goOnIfClean)
  useEffect(goOnIfClean, [goOnIfClean])

  const value = useMemo<LeaveGuards>(
    () => ({
      blocker,
      saveState,
      waitsFor: (isDirty) => guards.current.findLast((guard) => guard()) === isDirty,
      register(isDirty) {
        guards.current.push(isDirty)
        return () => {
          guards.current = guards.current.filter((guard) => guard !== isDirty)
          latest()()
        }
      },
      goOn,
      goOnIfClean,
    }),
    [blocker, saveState, goOn, goOnIfClean, latest],
  )
  return <LeaveGuardsContext value={value}>{children}</LeaveGuardsContext>
}

const SLOW_AFTER_MS = 3_000

function useSaveState(): SaveState {
  const isMutating = useIsMutating() > 0
  const [isSlow, setIsSlow] = useState(false)
  useEffect(() => {
    if (!isMutating) return
    const timer = setTimeout(() => setIsSlow(true), SLOW_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setIsSlow(false)
    }
  }, [isMutating])
  if (!isMutating) return 'none'
  return isSlow ? 'slow' : 'running'
}

/** Blocks navigation to another path while `isDirty()`. `isBlocked` is true while a navigation waits for this guard. */
export function useLeaveGuard(isDirty: IsDirty) {
  const guards = use(LeaveGuardsContext)
  if (!guards) throw new Error('useLeaveGuard must be used inside <LeaveGuards>')
  const { register, waitsFor, goOn, goOnIfClean, blocker, saveState } = guards
  // Not an effect event: `waitsFor` calls the guards while rendering, which React forbids for effect events.
  const latest = useLatest(isDirty)
  const own = useRef<IsDirty>(() => false)

  useEffect(() => {
    const guard = () => latest()()
    own.current = guard
    return register(guard)
    // oxlint-disable-next-line react/exhaustive-deps -- Registered once; `register` is the same for the life of the admin area.
  }, [])

  // What has just been rendered may have left nothing to lose, and neither a save nor the navigation says so.
  useEffect(goOnIfClean)

  return {
    saveState,
    isBlocked: blocker.state === 'blocked' && saveState !== 'running' && waitsFor(own.current),
    stay: () => blocker.reset?.(),
    go: goOn,
  }
}
