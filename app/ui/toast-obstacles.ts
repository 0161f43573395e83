import type { Obstacle } from './toast-place.ts'

const PRESSED = [
  'button',
  'input:not([type=hidden])',
  'select',
  'textarea',
  'summary',
  'label',
  '[role=option]',
  '[contenteditable]',
].join()
const CONTROLS = `${PRESSED}, a[href]`
/** A control that has the focus or the pointer. */
const IN_USE = ':focus, :hover, :active'

/** A control that buys. */
const BUYS = '[data-buy]'

const WEIGHTS = { besideDialog: 0.001, link: 1, control: 100, buys: 10_000, inUse: 100_000 }

/** What can be pressed now and is in sight: with a modal dialog open, only what it holds. `region`, the toasts themselves, is left out. */
export function obstaclesAround(region: HTMLElement): Obstacle[] {
  const dialog = region.closest('dialog')
  const scope = dialog ?? document
  const controls = Array.from(scope.querySelectorAll<HTMLElement>(CONTROLS)).flatMap((control) => {
    if (region.contains(control)) return []
    const box = control.getBoundingClientRect()
    const isInSight =
      box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth
    if (!isInSight || control.closest('[inert]') || getComputedStyle(control).visibility === 'hidden')
      return []
    return [{ box, weight: weightOf(control) }]
  })
  // Beside an open dialog is better than on it.
  return dialog
    ? [...controls, { box: dialog.getBoundingClientRect(), weight: WEIGHTS.besideDialog }]
    : controls
}

function weightOf(control: HTMLElement): number {
  if (control.matches(IN_USE)) return WEIGHTS.inUse
  if (control.matches(BUYS)) return WEIGHTS.buys
  return control.matches(PRESSED) ? WEIGHTS.control : WEIGHTS.link
}
