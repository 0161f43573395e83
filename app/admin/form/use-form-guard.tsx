import {
  useCallback,
  useEffect,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
} from 'react'
import { useSession } from '#app/data/session.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { useLeaveGuard } from './leave-guards.tsx'
import { useWindowEvent } from '#app/ui/use-window-event.ts'

export interface FormGuard {
  /** Props for the element around the form; they track unsaved changes. */
  guard: {
    ref: RefObject<HTMLDivElement | null>
    onInput: (event: SyntheticEvent) => void
    onClick: (event: SyntheticEvent) => void
  }
  /** Calls `go`, after a confirmation if there are unsaved changes. */
  leave: (go: () => void) => void
  markSaved: () => void
  /** The confirmation dialog, to be rendered by the caller. */
  question: ReactNode
}

const SIGNED_OUT =
  'You are signed out. Sign in again in another tab, and you can still save your changes here.'

/**
 * Asks before unsaved changes are lost by Esc, a click on the backdrop, Back or a closed tab; Cancel does not ask. A changed field
 * counts only while it is in the document, so a form that unmounts after saving is clean. Leaving waits for a running save. Ctrl+S or Cmd+S submits the form. Forms
 * with `data-saves-nothing` are ignored.
 */
export function useFormGuard(): FormGuard {
  const { status } = useSession()
  const ref = useRef<HTMLDivElement>(null)
  const touched = useRef(new Set<Element>())
  const isDirty = useCallback(() => Array.from(touched.current).some(({ isConnected }) => isConnected), [])
  const markSaved = () => touched.current.clear()
  const [leaving, setLeaving] = useState<(() => void) | null>(null)
  const guard = useLeaveGuard(isDirty)
  useWarningBeforeUnload(isDirty)
  useSaveShortcut(ref)

  useEffect(() => {
    if (leaving && guard.saveState !== 'running' && !isDirty()) leaving()
  }, [leaving, guard.saveState, isDirty])

  const stay = () => {
    setLeaving(null)
    guard.stay()
  }
  const discard = () => {
    markSaved()
    // Before `leaving`, which may unmount the form and reset the blocker.
    guard.go()
    leaving?.()
  }
  const question = (
    <ConfirmDialog
      title="Discard your changes?"
      question={status === 'signed-out' ? SIGNED_OUT : 'Your changes are not saved yet.'}
      confirm={{ label: 'Discard', busyLabel: 'Discard', isBusy: false }}
      dismissLabel="Keep editing"
      isOpen={(leaving !== null && guard.saveState !== 'running') || guard.isBlocked}
      onConfirm={discard}
      onClose={stay}
    />
  )
  return {
    guard: {
      ref,
      onInput: ({ target }) => {
        if (isSavedByForm(target)) touched.current.add(target)
      },
      onClick: ({ target }) => {
        const pressed = target instanceof Element ? target.closest('[role="switch"]') : null
        if (pressed && isSavedByForm(pressed)) touched.current.add(pressed)
      },
    },
    leave(go) {
      if (!isDirty()) return go()
      const leaveOnce = () => {
        setLeaving(null)
        go()
      }
      setLeaving(() => leaveOnce)
    },
    markSaved,
    question,
  }
}

function isSavedByForm(target: EventTarget): target is Element {
  return target instanceof Element && target.closest('[data-saves-nothing]') === null
}

/** Shows the browser's own warning before a tab with unsaved changes closes. */
export function useWarningBeforeUnload(isDirty: () => boolean): void {
  useWindowEvent('beforeunload', (event) => {
    if (isDirty()) event.preventDefault()
  })
}

/** Ctrl+S or Cmd+S submits the form inside `container`. */
export function useSaveShortcut(container: RefObject<HTMLDivElement | null>): void {
  useWindowEvent('keydown', (event) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return
    event.preventDefault()
    const form = formIn(container.current)
    const isBusy =
      form && Array.from(form.elements).some((field) => field.matches('[type="submit"]:disabled'))
    if (!isBusy) form?.requestSubmit()
  })
}

/** Returns the form to save, unless a dialog is open over it: then the shortcut belongs to the dialog. */
function formIn(container: HTMLElement | null): HTMLFormElement | null {
  if (!container || container.querySelector('dialog[open]')) return null
  const topmost = Array.from(document.querySelectorAll('dialog:modal')).at(-1)
  if (topmost && !topmost.contains(container)) return null
  return container.querySelector<HTMLFormElement>('form:not([data-saves-nothing])')
}
