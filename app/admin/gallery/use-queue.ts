import { useEffect, useRef, useState } from 'react'
import { CHORD_MS } from '../command-menu/admin-shortcuts.tsx'
import type { Submission } from './submission.ts'

/** What a key does to the photo that has the focus. */
export interface QueueActions {
  approve: (submission: Submission) => void
  decline: (submission: Submission) => void
  edit: (submission: Submission) => void
}

/**
 * Photos one after the other by keyboard: J and K go on and back, A, D and E do what their buttons do. The current photo takes the
 * focus, so that whoever cannot see the frame around it hears it.
 */
export function useQueue(rows: Submission[], actions: QueueActions) {
  const [currentId, setCurrentId] = useState<string | null>(null)
  const list = useRef<HTMLUListElement>(null)
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
    /** The focus came here by other means. */
    reach: setCurrentId,
    /** From a photo that is done to the one after it. */
    goOnFrom: ({ id }: Submission) => goTo(rows.findIndex((row) => row.id === id) + 1),
    /** When a dialog about the current photo closes. */
    comeBack() {
      wantsFocus.current = true
    },
  }
}

/** `press` says whether the key meant anything. */
function useQueueKeys(press: (key: string) => boolean): void {
  const latest = useRef(press)
  useEffect(() => {
    latest.current = press
  })
  useEffect(() => {
    let goingSince = -Infinity
    const listen = (event: KeyboardEvent) => {
      if (!isForQueue(event)) return
      const key = event.key.toLowerCase()
      // The letter after `g` names a place to go to.
      if (event.timeStamp - goingSince < CHORD_MS) goingSince = -Infinity
      else if (key === 'g') goingSince = event.timeStamp
      else if (latest.current(key)) event.preventDefault()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

/** Not what is typed into a field, a browser's own shortcut, or anything while a dialog is open. */
function isForQueue({ target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || defaultPrevented) return false
  if (target instanceof Element && target.closest('input, textarea, select, [contenteditable]')) return false
  return !isDialogOpen()
}

function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null
}
