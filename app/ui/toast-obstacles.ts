import { LABEL_COST, TEXT_COST, type Obstacle } from './toast-position.ts'

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

/** What a page says first: headings, sums and what went wrong. */
const SAID_FIRST = 'h1, h2, h3, dl, [role=alert]'

/** A control that buys. */
const BUYS = '[data-buy]'

/** A press on the label of a field that is typed in only moves the focus there: the label is read rather than pressed. */
const NOT_PRESSED = ['checkbox', 'radio', 'file'].map((type) => `:not([type=${type}])`).join('')
const TYPED_IN = `input${NOT_PRESSED}, select, textarea`

/** All words and the dialog together stay far below one label: they decide between places that cover no control. */
const WEIGHTS = {
  dialog: LABEL_COST / 1_000_000,
  words: TEXT_COST,
  label: LABEL_COST,
  link: 1,
  control: 100,
  buys: 10_000,
  inUse: 100_000,
}

/**
 * What stands around `region`, the toasts themselves, and is in sight: controls that can be pressed now, and words. With a modal dialog
 * open that is all the dialog holds; without one it is all controls, and of the words those that a page says first.
 */
export function obstaclesAround(region: HTMLElement): Obstacle[] {
  const dialog = region.closest('dialog')
  const controls = controlsIn(dialog ?? document, region)
  if (!dialog) return [...controls, ...saidFirst(region).flatMap(wordsOf)]
  return [
    ...controls,
    ...textsIn(dialog, region).flatMap(wordsOf),
    // Beside an open dialog is better than on it.
    { box: dialog.getBoundingClientRect(), weight: WEIGHTS.dialog },
  ]
}

function controlsIn(scope: ParentNode, region: HTMLElement): Obstacle[] {
  return Array.from(scope.querySelectorAll<HTMLElement>(CONTROLS)).flatMap((control) => {
    if (region.contains(control)) return []
    // A link that wraps has a box for each line, and between them there may be room.
    const boxes = Array.from(control.getClientRects()).filter(isInSight)
    if (boxes.length === 0 || control.closest('[inert]') || getComputedStyle(control).visibility === 'hidden')
      return []
    const weight = weightOf(control)
    return boxes.map((box) => ({ box, weight }))
  })
}

function saidFirst(region: HTMLElement): Node[] {
  return Array.from(document.querySelectorAll(SAID_FIRST)).filter((element) => !region.contains(element))
}

function textsIn(dialog: HTMLElement, region: HTMLElement): Node[] {
  const walker = document.createTreeWalker(dialog, NodeFilter.SHOW_TEXT)
  const texts: Node[] = []
  while (walker.nextNode()) {
    if (walker.currentNode.nodeValue?.trim() && !region.contains(walker.currentNode))
      texts.push(walker.currentNode)
  }
  return texts
}

/** The lines of a text. */
function wordsOf(text: Node): Obstacle[] {
  const range = document.createRange()
  range.selectNodeContents(text)
  return Array.from(range.getClientRects())
    .filter(isInSight)
    .map((box) => ({ box, weight: WEIGHTS.words }))
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
