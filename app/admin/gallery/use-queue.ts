import { useEffect, useRef, useState } from 'react'
import { useWindowEvent } from '#app/ui/use-window-event.ts'
import { CHORD_MS, isTyping } from '../shortcuts/admin-shortcuts.tsx'
import type { Submission } from './submission.ts'

/** The actions of the keyboard shortcuts on the focused photo. */
export interface QueueActions {
  approve: (submission: Submission) => void
  decline: (submission: Submission) => void
  edit: (submission: Submission) => void
}

/**
 * Reviews photos by keyboard: J and K go to the next and previous photo, A, D and E press its buttons. The current photo takes the
 * focus, so that screen readers announce it.
 */
export function useQueue(rows: Submission[], actions: QueueActions) {
  const [currentId, setCurrentId] = useState<string | null>(null)
  const list = useRef<HTMLElement>(null)
  const wantsFocus = useRef(false)
  const at = rows.findIndex(({ id }) => id === currentId)

  const goTo = (index: number) => {
    const next = rows[Math.max(0, Math.min(index, rows.length - 1))]
    if (!next) return
    wantsFocus.current = true
    setCurrentId(next.id)
  }

  useEffect(() => {
    // A dialog keeps the focus while it is open.
    if (!wantsFocus.current || isDialogOpen()) return
    wantsFocus.current = false
    list.current?.querySelector<HTMLElement>(`[data-submission="${currentId}"]`)?.focus()
  })

  useQueueKeys((key) => {
    const current = rows[at]
    if (key === 'j') goTo(at + 1)
    else if (key === 'k') goTo(at - 1)
    else if (!current) return false
    else if (key === 'e') actions.edit(current)
    else if (key === 'a' && current.status === 'pending') actions.approve(current)
    else if (key === 'd' && current.status === 'pending') actions.decline(current)
    else return false
    return true
  })

  return {
    list,
    currentId,
    setCurrent: setCurrentId,
    /** Goes to the photo after this one. */
    goToNextOf: ({ id }: Submission) => goTo(rows.findIndex((row) => row.id === id) + 1),
    /** Restores the focus after a dialog has closed. */
    restoreFocus() {
      wantsFocus.current = true
    },
  }
}

/** `press` returns whether it handled the key. */
function useQueueKeys(press: (key: string) => boolean): void {
  const chordStartedAt = useRef(-Infinity)
  useWindowEvent('keydown', (event) => {
    if (!isForQueue(event) || isUnwantedRepeat(event)) return
    const key = event.key.toLowerCase()
    // The letter after `g` opens a page (`AdminShortcuts`).
    if (event.timeStamp - chordStartedAt.current < CHORD_MS) chordStartedAt.current = -Infinity
    else if (key === 'g') chordStartedAt.current = event.timeStamp
    else if (press(key)) event.preventDefault()
  })
}

/** Excludes typing in a field, browser shortcuts, and all keys while a dialog is open. */
function isForQueue({ target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented) return false
  if (isTyping(target)) return false
  return !isDialogOpen()
}

/** A held key repeats. Only J and K may: a repeated A would approve a photo that nobody has looked at. */
export function isUnwantedRepeat({ repeat, key }: Pick<KeyboardEvent, 'repeat' | 'key'>): boolean {
  return repeat && !['j', 'k'].includes(key.toLowerCase())
}

function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null
}
