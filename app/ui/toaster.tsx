import { X } from 'lucide-react'
import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import styles from './toaster.module.css'

const SHOWN_MS = 6_000

export interface Toast {
  title: string
  description?: string
  tone?: 'default' | 'destructive'
}

type ShownToast = Toast & { id: number }
type ShowToast = (toast: Toast) => void

const ToastContext = createContext<ShowToast | null>(null)

/** Says in a corner what just happened: `useToast()({ title: 'Added to cart' })`. */
export function useToast(): ShowToast {
  const show = use(ToastContext)
  if (!show) throw new Error('useToast must be used inside <Toaster>')
  return show
}

/** Gives its children `useToast` and shows what they say. */
export function Toaster({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<ShownToast[]>([])
  const lastId = useRef(0)

  const show = useCallback((toast: Toast) => {
    lastId.current += 1
    const id = lastId.current
    // Three are enough to read; an older one makes room.
    setToasts((shown) => [...shown.slice(-2), { ...toast, id }])
  }, [])

  const dismiss = useCallback((id: number) => {
    setToasts((shown) => shown.filter((toast) => toast.id !== id))
  }, [])

  return (
    <ToastContext value={show}>
      {children}
      <ToastRegion toasts={toasts} dismiss={dismiss} />
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

  // A popover stands in the top layer, over an open dialog; showing it again puts it above a dialog opened since.
  useEffect(() => {
    if (newest === undefined) return
    region.current?.hidePopover?.()
    region.current?.showPopover?.()
  }, [newest])

  return (
    <div ref={region} popover="manual" className={styles.toaster} data-surface="deep">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} dismiss={dismiss} />
      ))}
    </div>
  )
}

function ToastCard({ toast, dismiss }: { toast: ShownToast; dismiss: (id: number) => void }) {
  const [isHeld, setIsHeld] = useState(false)
  const { id, title, description, tone = 'default' } = toast

  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => dismiss(id), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [dismiss, id, isHeld])

  return (
    <div
      className={classNames(styles.toast, tone === 'destructive' && styles.destructive)}
      role={tone === 'destructive' ? 'alert' : 'status'}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <div>
        <p className={styles.title}>{title}</p>
        {description && <p className={styles.description}>{description}</p>}
      </div>
      <IconButton label="Dismiss" onClick={() => dismiss(id)}>
        <X size={20} aria-hidden />
      </IconButton>
    </div>
  )
}
