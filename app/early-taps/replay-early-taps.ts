import type { EarlyAct } from './record-early-taps.ts'

/** Does now what was done before the page was alive. */
export function replayEarlyTap(act: EarlyAct): void {
  switch (act.kind) {
    case 'press':
      act.feedback.cancel()
      act.target.click()
      return
    case 'tick':
      // A click turns it round, so it is set to the other first.
      act.target.checked = !act.checked
      act.target.click()
      return
    case 'choose':
      // The files are there still; only nobody was told.
      act.target.dispatchEvent(new Event('change', { bubbles: true }))
      return
    case 'type':
      typeAgain(act)
      return
    case 'submit':
      act.target.requestSubmit(act.submitter)
  }
}

/** React hears only what differs from the value that it saw set last, and its own setter would tell it: the prototype's does not. */
function typeAgain({ target, value }: Extract<EarlyAct, { kind: 'type' }>): void {
  target.value = ''
  const prototype: unknown = Object.getPrototypeOf(target)
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(target, value)
  target.dispatchEvent(new Event('input', { bubbles: true }))
  target.dispatchEvent(new Event('change', { bubbles: true }))
}
