import { X } from 'lucide-react'
import {
  startTransition,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react'
import { backdropPress } from './backdrop-press.ts'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import styles from './dialog.module.css'
import { useToastOutlet } from './toaster.tsx'

export interface DialogProps {
  title: ReactNode
  isOpen: boolean
  /** Called for Esc, the X and a click on the backdrop; the owner sets `isOpen`. */
  onClose: () => void
  /** A task of this dialog is running. The dialog cannot be dismissed: the end of the task would close one that was opened since. */
  isBusy?: boolean
  children: ReactNode
  /** In pixels; by default as wide as the content. */
  width?: number
  className?: string
  /** `l` and `xl` are wider, and fill a phone's screen. */
  size?: 'l' | 'xl'
}

/** A modal `<dialog>`: the browser moves the focus in, traps it and restores it. */
export function Dialog(props: DialogProps) {
  return <Modal {...props} />
}

/** A modal panel that slides in from the side. */
export function Drawer({ side = 'right', className, ...rest }: DialogProps & { side?: 'left' | 'right' }) {
  return <Modal {...rest} className={classNames(styles.drawer, styles[side], className)} />
}

function Modal({ title, isOpen, onClose, isBusy, children, width, size, className }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const [press] = useState(backdropPress)
  // Every page has three dialogs. The server omits their content and the browser renders it when idle, so that opening one is fast.
  const [isRendered, setIsRendered] = useState(isOpen)
  if (isOpen && !isRendered) setIsRendered(true)
  useEffect(() => startTransition(() => setIsRendered(true)), [])

  useEffect(() => {
    const element = dialog.current
    if (!element || element.open === isOpen) return
    if (isOpen) element.showModal()
    else element.close()
  }, [isOpen])
  useLayoutEffect(() => {
    const element = dialog.current
    // Many owners remove an open dialog. Only `close` restores the focus, and only while the dialog is in the document and no dialog
    // inside it makes the page inert.
    return () => {
      const inner = element?.querySelectorAll<HTMLDialogElement>('dialog[open]') ?? []
      for (const open of Array.from(inner).toReversed()) open.close()
      element?.close()
    }
  }, [])
  useToastOutlet(dialog, isOpen)
  useFocusInside(dialog, isOpen)
  useFocusWhileBusy(dialog, isBusy)

  const close = () => {
    if (isBusy) return
    commitFocusedField()
    onClose()
  }

  return (
    // A click on the backdrop is for the pointer; the keyboard has Esc, which the browser turns into `cancel`.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      tabIndex={-1}
      className={classNames(
        styles.dialog,
        width !== undefined && styles.sized,
        size && styles.large,
        size && styles[size],
        className,
      )}
      style={{ '--width': width && `${width}px` }}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // React lets `cancel` bubble, unlike the browser: Esc must not close the dialogs around this one.
        if (event.target !== event.currentTarget) return
        // A second Esc without a click between closes the dialog in some browsers; `close` follows.
        if (!event.cancelable) return
        event.preventDefault()
        close()
      }}
      onClose={(event) => {
        // The event comes late: React's strict mode has opened the dialog again by then.
        if (event.target !== event.currentTarget || !isOpen || event.currentTarget.open) return
        event.currentTarget.showModal()
        close()
      }}
      onPointerDown={press.begin}
      onClick={(event) => press.isComplete(event) && close()}
    >
      {isRendered && (
        <>
          <div className={styles.head}>
            <h2 className={styles.title} id={titleId}>
              {title}
            </h2>
            <IconButton label="Close" disabled={isBusy} onClick={close}>
              <X size={24} aria-hidden />
            </IconButton>
          </div>
          <div className={styles.body}>{children}</div>
        </>
      )}
    </dialog>
  )
}

/**
 * Moves the focus to the dialog when the focused element is removed, for example a toast's Undo: browsers then focus the page behind
 * the dialog, and screen readers leave it.
 */
function useFocusInside(dialog: RefObject<HTMLDialogElement | null>, isOpen: boolean): void {
  useEffect(() => {
    const element = dialog.current
    if (!element || !isOpen) return
    const observer = new MutationObserver(() => {
      if (document.activeElement === document.body) element.focus({ preventScroll: true })
    })
    observer.observe(element, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [dialog, isOpen])
}

/**
 * Moves the focus to the dialog when its task disables the focused control or makes it inert: browsers would focus the page behind the
 * dialog. Returns it when the task ends and the dialog stays open, because the task failed.
 */
function useFocusWhileBusy(dialog: RefObject<HTMLDialogElement | null>, isBusy = false): void {
  const focusedBefore = useRef<HTMLElement>(null)
  // Before the browser moves the focus itself.
  useLayoutEffect(() => {
    const focused = document.activeElement
    if (isBusy && focused instanceof HTMLElement && focused.matches('body, :disabled, [inert] *')) {
      focusedBefore.current = focused
      dialog.current?.focus({ preventScroll: true })
    } else if (!isBusy && focused === dialog.current) {
      focusedBefore.current?.focus({ preventScroll: true })
      focusedBefore.current = null
    }
  }, [dialog, isBusy])
}

/**
 * Blurs the focused field, because Esc does not, and the owner may remove it: a field that saves on blur would lose what was typed.
 * The field keeps the focus for an owner that asks first whether to close.
 */
function commitFocusedField(): void {
  const field = document.activeElement
  if (!(field instanceof HTMLElement)) return
  field.blur()
  field.focus({ preventScroll: true })
}
