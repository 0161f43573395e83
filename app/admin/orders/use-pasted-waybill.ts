import { useEffect, useRef, type RefObject } from 'react'
import { findWaybill } from './waybill.ts'

/** Handles a paste anywhere on the page, unless a field has the focus or another dialog covers `container`. */
export function usePastedWaybill(
  container: RefObject<HTMLElement | null>,
  onPaste: (waybill: string) => void,
): void {
  const latest = useRef(onPaste)
  useEffect(() => {
    latest.current = onPaste
  })
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      if (!isForContainer(event.target, container.current)) return
      const waybill = findWaybill(event.clipboardData?.getData('text') ?? '')
      if (!waybill) return
      event.preventDefault()
      latest.current(waybill)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [container])
}

function isForContainer(target: EventTarget | null, container: HTMLElement | null): boolean {
  if (target instanceof Element && target.closest('input, textarea, [contenteditable]')) return false
  return Array.from(document.querySelectorAll('dialog:modal')).at(-1) === container?.closest('dialog')
}
