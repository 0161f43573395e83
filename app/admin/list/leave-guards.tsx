import { createContext, use, useEffect, useLayoutEffect, useMemo, useRef, type ReactNode } from 'react'
import { useBlocker, type Blocker } from 'react-router'

type IsDirty = () => boolean

interface LeaveGuards {
  blocker: Blocker
  /** The guard that the navigation waits for: of several with unsaved changes, the one that opened last. */
  waitsFor: (isDirty: IsDirty) => boolean
  register: (isDirty: IsDirty) => () => void
}

const LeaveGuardsContext = createContext<LeaveGuards | null>(null)

/**
 * The one blocker of the admin area. A router asks only the last one registered: with a dialog's form over a page's form, changes on the
 * page would be lost without a question.
 */
export function LeaveGuards({ children }: { children: ReactNode }) {
  const guards = useRef<IsDirty[]>([])
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && guards.current.some((isDirty) => isDirty()),
  )
  const value = useMemo<LeaveGuards>(
    () => ({
      blocker,
      waitsFor: (isDirty) => guards.current.findLast((guard) => guard()) === isDirty,
      register(isDirty) {
        guards.current.push(isDirty)
        return () => {
          guards.current = guards.current.filter((guard) => guard !== isDirty)
        }
      },
    }),
    [blocker],
  )
  return <LeaveGuardsContext value={value}>{children}</LeaveGuardsContext>
}

/** Holds navigation to another path back while `isDirty()`; `isBlocked` while one waits for this guard's answer. */
export function useLeaveGuard(isDirty: IsDirty) {
  const guards = use(LeaveGuardsContext)
  if (!guards) throw new Error('useLeaveGuard must be used inside <LeaveGuards>')
  const { register, waitsFor, blocker } = guards
  // Not an effect event: `waitsFor` asks the guards while it renders, where React refuses effect events.
  const latest = useRef(isDirty)
  useLayoutEffect(() => {
    latest.current = isDirty
  })
  const own = useRef<IsDirty>(() => false)

  useEffect(() => {
    const guard = () => latest.current()
    own.current = guard
    return register(guard)
    // oxlint-disable-next-line react/exhaustive-deps -- Registered once; `register` is the same for the life of the admin area.
  }, [])

  return {
    isBlocked: blocker.state === 'blocked' && waitsFor(own.current),
    stay: () => blocker.reset?.(),
    go: () => blocker.proceed?.(),
  }
}
