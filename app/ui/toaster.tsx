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

/** Toasts of one call are one stack, the first on top. */
type ShowToast = (...toasts: [Toast, ...Toast[]]) => void

interface ToastActions {
  show: ShowToast
  change: (changed: (shown: ShownToast[]) => ShownToast[]) => void
  /** A modal dialog makes everything outside it inert, so toasts stand inside the topmost one. */
  openOutlet: (element: HTMLElement) => () => void
}

const ToastContext = createContext<ToastActions | null>(null)

/** Says in a corner what just happened: `useToast()({ title: 'Added to cart' })`. */
export function useToast(): ShowToast {
  const place = use(ToastContext)
  if (!place) throw new Error('useToast must be used inside <Toaster>')
  return place.show
}

/** Takes error toasts away, when a new attempt begins. */
export function useDismissErrors(): () => void {
  const change = use(ToastContext)?.change
  return useCallback(() => change?.((shown) => shown.filter(({ tone }) => tone !== 'destructive')), [change])
}

/**
 * Takes away what the page before had to say, except for what can still be undone. A page that was replaced has only forwarded its
 * visitor, and does not count as the next page.
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

/** While a modal dialog is open its element holds the toasts. */
export function useToastOutlet(element: RefObject<HTMLElement | null>, isOpen: boolean): void {
  const openOutlet = use(ToastContext)?.openOutlet

  useEffect(() => {
    if (isOpen && element.current) return openOutlet?.(element.current)
  }, [element, isOpen, openOutlet])
}

/** Gives its children `useToast` and shows what they say. */
export function Toaster({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<ShownToast[]>([])
  const [outlets, setOutlets] = useState<HTMLElement[]>([])
  const lastId = useRef(0)

  const show = useCallback<ShowToast>((...arriving) => {
    const call = lastId.current + 1
    const numbered = arriving.map((toast, at) => ({ ...toast, id: call + at, call }))
    lastId.current += arriving.length
    const [{ isUnprompted: areUnprompted }] = arriving
    // What was said before is out of date by now, except for what can still be taken back; news and answers leave each other alone.
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
  const place = useMemo(() => ({ show, change: setToasts, openOutlet }), [show, openOutlet])
  const outlet = outlets.at(-1)
  const shown = outlet ? toasts.filter(({ waitsForDialog }) => !waitsForDialog) : toasts
  const region = <ToastRegion toasts={shown} dismiss={dismiss} />

  return (
    <ToastContext value={place}>
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

  // A popover stands in the top layer, over an open dialog; showing it again puts it above a dialog opened since.
  useLayoutEffect(() => {
    // A dialog that is gone with its page took its region along; the next one is mounted, and shown, elsewhere.
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
