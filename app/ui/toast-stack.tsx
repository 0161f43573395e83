import { X } from 'lucide-react'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button, IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import styles from './toaster.module.css'

const SHOWN_MS = 6_000
/** Leaves time to notice a mistake and undo it. */
const SHOWN_WITH_ACTION_MS = 8_000

export interface Toast {
  title: string
  description?: string
  tone?: 'default' | 'destructive'
  /** Running it dismisses the toast. */
  action?: { label: string; run: () => void }
  /** Not the result of something that the user did here, for example a new order. */
  isUnprompted?: boolean
  /** Hidden while a modal dialog is open. */
  waitsForDialog?: boolean
  /** Survives one navigation, for an action that ends by leaving its page. */
  isForNextPage?: boolean
}

export function errorToast(description: string, title = 'Error'): Toast {
  return { title, description, tone: 'destructive' }
}

export type ShownToast = Toast & {
  id: number
  /** Identifies the `useToast` call; its toasts form one stack. */
  call: number
}

interface StackProps {
  toasts: ShownToast[]
  dismiss: (id: number) => void
}

/**
 * The toasts of one call. They overlap, because a column of them covers half a phone. "3 more" expands the stack; a press outside
 * collapses it. Screen readers announce all of them at once.
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
          isPinned={isOpen}
          isCovered={at > 0 && !isOpen}
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
  /** Stays until it is dismissed. */
  isPinned: boolean
  /** Another toast of the stack lies on it. */
  isCovered: boolean
  dismiss: (id: number) => void
  children: ReactNode
}

function ToastCard({ toast, isPinned, isCovered, dismiss, children }: CardProps) {
  const [isInUse, setIsInUse] = useState(false)
  const { id, title, description, tone = 'default', action } = toast
  const shownMs = action ? SHOWN_WITH_ACTION_MS : SHOWN_MS
  const isPaused = isPinned || isInUse

  useEffect(() => {
    if (isPaused) return
    const timer = setTimeout(() => dismiss(id), shownMs)
    return () => clearTimeout(timer)
  }, [dismiss, id, isPaused, shownMs])

  return (
    <div
      className={classNames(styles.toast, tone === 'destructive' && styles.destructive)}
      role={tone === 'destructive' ? 'alert' : 'status'}
      data-in-use={isInUse}
      // A toast that appears under a resting pointer is not in use: it may have to leave a button below it.
      onPointerMove={({ movementX, movementY }) => {
        if (movementX !== 0 || movementY !== 0) setIsInUse(true)
      }}
      onPointerLeave={() => setIsInUse(false)}
      onFocus={() => setIsInUse(true)}
      onBlur={() => setIsInUse(false)}
    >
      <div className={styles.text}>
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
      {/* A focused button must not be covered by another toast. */}
      {!isCovered && (
        <IconButton label="Dismiss" onClick={() => dismiss(id)}>
          <X size={20} aria-hidden />
        </IconButton>
      )}
    </div>
  )
}
