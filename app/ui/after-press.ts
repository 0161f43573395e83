let isPressed = false
let waiting: (() => void)[] = []

/**
 * Runs `work` now, or, while a mouse button or finger is down, once the press is over and its click was dispatched. A layout that
 * changes between press and release moves the pressed button away, and the browser then dispatches no click: the press is lost.
 */
export function afterPress(work: () => void): void {
  if (isPressed) waiting.push(work)
  else work()
}

/** The browser dispatches the click in the same task as the release. */
function onRelease() {
  setTimeout(() => {
    isPressed = false
    const due = waiting
    waiting = []
    for (const work of due) work()
  })
}

if (typeof document !== 'undefined') {
  // A tap dispatches pointer events first; the mouse events that move the focus come after them.
  for (const type of ['pointerdown', 'mousedown'])
    document.addEventListener(type, () => (isPressed = true), { capture: true, passive: true })
  for (const type of ['pointerup', 'mouseup', 'pointercancel', 'dragend'])
    addEventListener(type, onRelease, { capture: true, passive: true })
  // The button may be released outside the window.
  addEventListener('blur', onRelease)
}
