import {
  createContext,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react'
import { createPortal } from 'react-dom'
import { ToastStack, type ShownToast, type Toast } from './toast-stack.tsx'
import styles from './toaster.module.css'
import { useToastPosition } from './use-toast-position.ts'

/** Toasts of one call form one stack, the first on top. */
type ShowToast = (...toasts: [Toast, ...Toast[]]) => void

interface ToastActions {
  show: ShowToast
  change: (changed: (shown: ShownToast[]) => ShownToast[]) => void
  /** Renders the toasts inside the topmost modal dialog, because everything outside it is inert. Returns a function that undoes it. */
  openOutlet: (element: HTMLElement) => () => void
}

const ToastContext = createContext<ToastActions | null>(null)

/** Returns the function that shows toasts: `useToast()({ title: 'Added to cart' })`. */
export function useToast(): ShowToast {
  const toasts = use(ToastContext)
  if (!toasts) throw new Error('useToast must be used inside <Toaster>')
  return toasts.show
}

/** Returns a function that dismisses all error toasts, for the start of a new attempt. */
export function useDismissErrors(): () => void {
  const change = use(ToastContext)?.change
  return useCallback(() => change?.((shown) => shown.filter(({ tone }) => tone !== 'destructive')), [change])
}

/**
 * Dismisses the previous page's toasts after a navigation, except those with an action such as Undo. A redirect
 * (`isReplaced`) does not count as the next page.
 */
export function useDismissToastsOnNavigation(pathname: string, isReplaced: boolean): void {
  const change = use(ToastContext)?.change
  const shownOn = useRef(pathname)

  useEffect(() => {
    if (shownOn.current === pathname) return
    shownOn.current = pathname
    change?.((shown) =>
      shown
        .filter(({ action, isUnprompted, isForNextPage }) => action || isUnprompted || isForNextPage)
        .map((toast) => (isReplaced ? toast : { ...toast, isForNextPage: false })),
    )
  }, [change, pathname, isReplaced])
}

/** Renders the toasts inside `element` while it is an open modal dialog. */
export function useToastOutlet(element: RefObject<HTMLElement | null>, isOpen: boolean): void {
  const openOutlet = use(ToastContext)?.openOutlet

  useEffect(() => {
    if (isOpen && element.current) return openOutlet?.(element.current)
  }, [element, isOpen, openOutlet])
}

/** Provides `useToast` and renders the toasts. */
export function Toaster({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<ShownToast[]>([])
  const [outlets, setOutlets] = useState<HTMLElement[]>([])
  const lastId = useRef(0)

  const show = useCallback<ShowToast>((...arriving) => {
    const call = lastId.current + 1
    const numbered = arriving.map((toast, at) => ({ ...toast, id: call + at, call }))
    lastId.current += arriving.length
    const [{ isUnprompted: areUnprompted }] = arriving
    // A new toast replaces earlier ones, except one with an action. Unprompted toasts and results do not replace each other.
    setToasts((shown) => [
      ...shown.filter(({ action, isUnprompted }) => action || isUnprompted !== areUnprompted).slice(-1),
      ...numbered,
    ])
  }, [])

  const dismiss = useCallback((id: number) => {
    setToasts((shown) => shown.filter((toast) => toast.id !== id))
  }, [])

  const openOutlet = useCallback((element: HTMLElement) => {
    setOutlets((open) => [...open, element])
    return () => setOutlets((open) => open.filter((other) => other !== element))
  }, [])
  const actions = useMemo(() => ({ show, change: setToasts, openOutlet }), [show, openOutlet])
  const outlet = outlets.at(-1)
  const shown = outlet ? toasts.filter(({ waitsForDialog }) => !waitsForDialog) : toasts
  const region = <ToastRegion toasts={shown} dismiss={dismiss} />

  return (
    <ToastContext value={actions}>
      {children}
      {outlet ? createPortal(region, outlet) : region}
    </ToastContext>
  )
}

interface RegionProps {
  toasts: ShownToast[]
  dismiss: (id: number) => void
}

function ToastRegion({ toasts, dismiss }: RegionProps) {
  const region = useRef<HTMLDivElement>(null)
  const newest = useMemo(() => toasts.at(-1)?.id, [toasts])
  const calls = [...new Set(toasts.map(({ call }) => call))]

  // A popover is in the top layer; showing it again moves it above a dialog that opened later.
  useLayoutEffect(() => {
    // When a dialog unmounts with its page, its region is gone too; React mounts the next one elsewhere.
    if (newest === undefined || !region.current?.isConnected) return
    region.current.hidePopover?.()
    region.current.showPopover?.()
  }, [newest])
  useToastPosition(region, newest !== undefined)

  return (
    <div ref={region} popover="manual" className={styles.toaster} data-surface="deep">
      {calls.map((call) => (
        <ToastStack key={call} toasts={toasts.filter((toast) => toast.call === call)} dismiss={dismiss} />
      ))}
    </div>
  )
}
