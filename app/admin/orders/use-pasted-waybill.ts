import { useEffect, useRef, type RefObject } from 'react'
import { findWaybill } from './waybill.ts'

/** A waybill pasted anywhere, as long as no field has the focus and no other dialog stands over `place`. */
export function usePastedWaybill(
  place: RefObject<HTMLElement | null>,
  onPaste: (waybill: string) => void,
): void {
  const latest = useRef(onPaste)
  useEffect(() => {
    latest.current = onPaste
  })
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      if (!isForPlace(event.target, place.current)) return
      const waybill = findWaybill(event.clipboardData?.getData('text') ?? '')
      if (!waybill) return
      event.preventDefault()
      latest.current(waybill)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [place])
}

function isForPlace(target: EventTarget | null, place: HTMLElement | null): boolean {
  if (target instanceof Element && target.closest('input, textarea, [contenteditable]')) return false
  return Array.from(document.querySelectorAll('dialog:modal')).at(-1) === place?.closest('dialog')
}
