import { ANY_LABEL, type Obstacle } from './toast-place.ts'

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

/** A press on the label of a field that is typed in only moves the focus there: the label is read rather than pressed. */
const NOT_PRESSED = ['checkbox', 'radio', 'file'].map((type) => `:not([type=${type}])`).join('')
const TYPED_IN = `input${NOT_PRESSED}, select, textarea`

const WEIGHTS = {
  besideDialog: ANY_LABEL / 200,
  label: ANY_LABEL,
  link: 1,
  control: 100,
  buys: 10_000,
  inUse: 100_000,
}

/** What can be pressed now and is in sight: with a modal dialog open, only what it holds. `region`, the toasts themselves, is left out. */
export function obstaclesAround(region: HTMLElement): Obstacle[] {
  const dialog = region.closest('dialog')
  const scope = dialog ?? document
  const controls = Array.from(scope.querySelectorAll<HTMLElement>(CONTROLS)).flatMap((control) => {
    if (region.contains(control)) return []
    // A link that wraps has a box for each line, and between them there may be room.
    const boxes = Array.from(control.getClientRects()).filter(isInSight)
    if (boxes.length === 0 || control.closest('[inert]') || getComputedStyle(control).visibility === 'hidden')
      return []
    const weight = weightOf(control)
    return boxes.map((box) => ({ box, weight }))
  })
  // Beside an open dialog is better than on it.
  return dialog
    ? [...controls, { box: dialog.getBoundingClientRect(), weight: WEIGHTS.besideDialog }]
    : controls
}

function isInSight({ left, top, right, bottom }: DOMRect): boolean {
  return right > left && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
}

function weightOf(control: HTMLElement): number {
  if (control.matches(IN_USE)) return WEIGHTS.inUse
  if (control.matches(BUYS)) return WEIGHTS.buys
  if (control instanceof HTMLLabelElement && control.control?.matches(TYPED_IN)) return WEIGHTS.label
  return control.matches(PRESSED) ? WEIGHTS.control : WEIGHTS.link
}
