let isPressed = false
let waiting: (() => void)[] = []
let ending: ReturnType<typeof setTimeout> | undefined

/** A longer press is no click: a drag, a selection of text, or one whose end the browser did not report. */
const LONGEST_PRESS_MS = 10_000
/** How long after its release a tap may dispatch its click, if it does. */
const TAP_MS = 300

/**
 * Runs `work` now, or, while the main button or a finger is down, once the press is over and its click was dispatched. A layout that
 * changes between press and release moves the pressed button away, and the browser then dispatches no click: the press is lost.
 */
export function afterPress(work: () => void): void {
  if (isPressed) waiting.push(work)
  else work()
}

function onPress({ button }: MouseEvent) {
  if (button !== 0) return
  isPressed = true
  endAfter(LONGEST_PRESS_MS)
}

/** A mouse dispatches the click in the same task as the release, a finger or pen in a later one, after mouse events. */
function onRelease(event: Event) {
  if (isPressed) endAfter(event instanceof PointerEvent && event.pointerType !== 'mouse' ? TAP_MS : 0)
}

/** For what tells that a press is over, or has opened something that takes its release. */
function onEnd({ type, target }: Event) {
  // A text that the press has taken the focus from changes while the button is down.
  const isOfText = type === 'change' && !(target instanceof HTMLSelectElement)
  if (isPressed && !isOfText) endAfter(0)
}

/** A later press or release replaces the end of an earlier one. */
function endAfter(ms: number) {
  clearTimeout(ending)
  ending = setTimeout(end, ms)
}

function end() {
  isPressed = false
  const due = waiting
  waiting = []
  for (const work of due) work()
}

if (typeof document !== 'undefined') {
  // A tap dispatches pointer events first; the mouse events that move the focus come after them.
  for (const type of ['pointerdown', 'mousedown'] as const)
    document.addEventListener(type, onPress, { capture: true, passive: true })
  for (const type of ['pointerup', 'mouseup'] as const)
    addEventListener(type, onRelease, { capture: true, passive: true })
  for (const type of ['click', 'pointercancel', 'dragend', 'contextmenu', 'change', 'keydown'])
    addEventListener(type, onEnd, { capture: true, passive: true })
  // The button may be released outside the window.
  addEventListener('blur', onEnd)
}
