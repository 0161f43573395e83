import { X } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button, IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import styles from './toaster.module.css'

const SHOWN_MS = 6_000
/** Long enough to notice a slip and take it back. */
const SHOWN_WITH_ACTION_MS = 8_000

export interface Toast {
  title: string
  description?: string
  tone?: 'default' | 'destructive'
  /** The one thing to do about it; doing it ends the toast. */
  action?: { label: string; run: () => void }
  /** It came by itself, and answers nothing that was done here. */
  isUnprompted?: boolean
  /** Is shown once no modal dialog is open. */
  waitsForDialog?: boolean
  /** Stays when the page changes once, for an action that ends by leaving its page. */
  isForNextPage?: boolean
}

export type ShownToast = Toast & {
  id: number
  /** The call that showed it. */
  call: number
}

interface StackProps {
  toasts: ShownToast[]
  dismiss: (id: number) => void
}

/**
 * The toasts of one call. Several lie on one another, because a column of them covers half a phone; a press on "3 more" spreads them
 * out, and a press elsewhere puts them together again. Screen readers are told all of them at once.
 */
export function ToastStack({ toasts, dismiss }: StackProps) {
  const stack = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const others = toasts.length - 1

  useEffect(() => {
    if (!isOpen) return
    const closeFromOutside = ({ target }: Event) => {
      if (target instanceof Node && !stack.current?.contains(target)) setIsOpen(false)
    }
    const events = ['pointerdown', 'focusin']
    for (const event of events) document.addEventListener(event, closeFromOutside)
    return () => {
      for (const event of events) document.removeEventListener(event, closeFromOutside)
    }
  }, [isOpen])

  return (
    <div ref={stack} className={styles.stack} data-open={isOpen}>
      {toasts.map((toast, at) => (
        <ToastCard
          key={toast.id}
          toast={toast}
          isKept={isOpen}
          isBehind={at > 0 && !isOpen}
          dismiss={dismiss}
        >
          {at === 0 && others > 0 && (
            <Button look="quiet" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
              {isOpen ? 'Less' : `${others} more`}
            </Button>
          )}
        </ToastCard>
      ))}
    </div>
  )
}

interface CardProps {
  toast: ShownToast
  /** Whether it stays until it is dismissed. */
  isKept: boolean
  isBehind: boolean
  dismiss: (id: number) => void
  children: ReactNode
}

function ToastCard({ toast, isKept, isBehind, dismiss, children }: CardProps) {
  const [isInUse, setIsInUse] = useState(false)
  const { id, title, description, tone = 'default', action } = toast
  const shownMs = action ? SHOWN_WITH_ACTION_MS : SHOWN_MS
  const isHeld = isKept || isInUse

  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => dismiss(id), shownMs)
    return () => clearTimeout(timer)
  }, [dismiss, id, isHeld, shownMs])

  return (
    <div
      className={classNames(styles.toast, tone === 'destructive' && styles.destructive)}
      role={tone === 'destructive' ? 'alert' : 'status'}
      onPointerEnter={() => setIsInUse(true)}
      onPointerLeave={() => setIsInUse(false)}
      onFocus={() => setIsInUse(true)}
      onBlur={() => setIsInUse(false)}
    >
      <div className={styles.words}>
        <p className={styles.title}>{title}</p>
        {description && <p className={styles.description}>{description}</p>}
      </div>
      {children}
      {action && (
        <Button
          look="quiet"
          onClick={() => {
            action.run()
            dismiss(id)
          }}
        >
          {action.label}
        </Button>
      )}
      {/* A button that another toast lies on could not be seen when it has the focus. */}
      {!isBehind && (
        <IconButton label="Dismiss" onClick={() => dismiss(id)}>
          <X size={20} aria-hidden />
        </IconButton>
      )}
    </div>
  )
}
