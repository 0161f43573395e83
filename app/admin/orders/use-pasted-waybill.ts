import type { RefObject } from 'react'
import { useWindowEvent } from '#app/ui/use-window-event.ts'
import { findWaybill } from './waybill.ts'

/** Handles a paste anywhere on the page, unless a field has the focus or another dialog covers `container`. */
export function usePastedWaybill(
  container: RefObject<HTMLElement | null>,
  onPaste: (waybill: string) => void,
): void {
  useWindowEvent('paste', (event) => {
    if (!isForContainer(event.target, container.current)) return
    const waybill = findWaybill(event.clipboardData?.getData('text') ?? '')
    if (!waybill) return
    event.preventDefault()
    onPaste(waybill)
  })
}

function isForContainer(target: EventTarget | null, container: HTMLElement | null): boolean {
  if (target instanceof Element && target.closest('input, textarea, [contenteditable]')) return false
  return Array.from(document.querySelectorAll('dialog:modal')).at(-1) === container?.closest('dialog')
}
