import {
  useCallback,
  useEffect,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
} from 'react'
import { useSession } from '#app/session/session.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { useLeaveGuard } from './leave-guards.tsx'

interface FormGuard {
  /** For the element around the form: typing in it is what there is to lose. */
  guard: {
    ref: RefObject<HTMLDivElement | null>
    onInput: (event: SyntheticEvent) => void
    onClick: (event: SyntheticEvent) => void
  }
  /** Leaves at once, or asks first. */
  leave: (go: () => void) => void
  /** What was typed is saved. */
  markSaved: () => void
  /** The question; stands anywhere inside. */
  question: ReactNode
}

const SIGNED_OUT =
  'You are signed out. Sign in again in another tab, and what you typed can still be saved here.'

/**
 * Keeps what was typed from a slip: Esc, a click beside the dialog, Back, a closed tab. Whoever presses Cancel means it. A field that
 * was touched counts for as long as it stands there: one that goes with its saved form is nothing to lose.
 * Ctrl+S or Cmd+S saves. A form that saves nothing says so with `data-saves-nothing`.
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
  useSaveKey(ref)

  const stay = () => {
    setLeaving(null)
    guard.stay()
  }
  const discard = () => {
    markSaved()
    setLeaving(null)
    // Reset first, it would have nowhere to go on to.
    guard.go()
    leaving?.()
  }
  const question = (
    <ConfirmDialog
      title="Discard your changes?"
      question={status === 'signed-out' ? SIGNED_OUT : 'What you typed here is not saved yet.'}
      confirm={{ label: 'Discard', busyLabel: 'Discard', isBusy: false }}
      dismissLabel="Keep editing"
      isOpen={leaving !== null || guard.isBlocked}
      onConfirm={discard}
      onClose={stay}
    />
  )
  return {
    guard: {
      ref,
      onInput: ({ target }) => {
        if (isKept(target)) touched.current.add(target)
      },
      onClick: ({ target }) => {
        const pressed = target instanceof Element ? target.closest('[role="switch"]') : null
        if (pressed && isKept(pressed)) touched.current.add(pressed)
      },
    },
    leave: (go) => (isDirty() ? setLeaving(() => go) : go()),
    markSaved,
    question,
  }
}

function isKept(target: EventTarget): target is Element {
  return target instanceof Element && target.closest('[data-saves-nothing]') === null
}

/** The browser's own question at the edge of the shop. */
export function useWarningBeforeUnload(isDirty: () => boolean): void {
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (isDirty()) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isDirty])
}

/** Ctrl+S or Cmd+S sends the form in this place. */
export function useSaveKey(place: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const save = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      const form = formIn(place.current)
      const isBusy =
        form && Array.from(form.elements).some((field) => field.matches('[type="submit"]:disabled'))
      if (!isBusy) form?.requestSubmit()
    }
    addEventListener('keydown', save)
    return () => removeEventListener('keydown', save)
  }, [place])
}

/** The form that saves; while a dialog stands over it, a save key is meant for that. */
function formIn(place: HTMLElement | null): HTMLFormElement | null {
  if (!place || place.querySelector('dialog[open]')) return null
  const topmost = Array.from(document.querySelectorAll('dialog:modal')).at(-1)
  if (topmost && !topmost.contains(place)) return null
  return place.querySelector<HTMLFormElement>('form:not([data-saves-nothing])')
}
