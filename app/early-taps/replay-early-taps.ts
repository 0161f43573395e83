import type { EarlyEvent } from './record-early-taps.ts'

/** Repeats an interaction from before hydration. */
export function replayEarlyTap(early: EarlyEvent): void {
  switch (early.kind) {
    case 'press':
      early.feedback.cancel()
      early.target.click()
      return
    case 'tick':
      // The click toggles it, so start from the opposite state.
      early.target.checked = !early.checked
      early.target.click()
      return
    case 'choose':
      // The input still has the files, so only the event is missing.
      early.target.dispatchEvent(new Event('change', { bubbles: true }))
      return
    case 'type':
      replayTyping(early)
      return
    case 'submit':
      early.target.requestSubmit(early.submitter)
  }
}

/** Sets the value with the native setter: React's own setter updates its value tracker, and the change event would be ignored. */
function replayTyping({ target, value }: Extract<EarlyEvent, { kind: 'type' }>): void {
  target.value = ''
  const prototype: unknown = Object.getPrototypeOf(target)
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(target, value)
  target.dispatchEvent(new Event('input', { bubbles: true }))
  target.dispatchEvent(new Event('change', { bubbles: true }))
}
