import { LABEL_COST, TEXT_COST, type Obstacle } from './toast-position.ts'

const PRESSABLE = [
  'button',
  'input:not([type=hidden])',
  'select',
  'textarea',
  'summary',
  'label',
  '[role=option]',
  '[contenteditable]',
].join()
const CONTROLS = `${PRESSABLE}, a[href]`
const IN_USE = ':focus, :hover, :active'
const IMPORTANT_TEXT = 'h1, h2, h3, dl, [role=alert]'
const BUY_BUTTON = '[data-buy]'

/** The label of a text field only moves the focus, so people read it rather than press it. */
const NOT_TOGGLE = ['checkbox', 'radio', 'file'].map((type) => `:not([type=${type}])`).join('')
const TEXT_ENTRY = `input${NOT_TOGGLE}, select, textarea`

/** All text and the dialog together weigh far less than one label: they only rank positions that cover no control. */
const WEIGHTS = {
  dialog: LABEL_COST / 1_000_000,
  text: TEXT_COST,
  label: LABEL_COST,
  link: 1,
  control: 100,
  buyButton: 10_000,
  inUse: 100_000,
}

/**
 * Returns the visible obstacles around the toasts in `region`: with an open modal dialog its controls and text, otherwise all controls
 * of the page and its important text.
 */
export function obstaclesAround(region: HTMLElement): Obstacle[] {
  const dialog = region.closest('dialog')
  const controls = controlsIn(dialog ?? document, region)
  if (!dialog) return [...controls, ...importantTextAround(region).flatMap(linesOf)]
  return [
    ...controls,
    ...textNodesIn(dialog, region).flatMap(linesOf),
    // Beside an open dialog is better than on it.
    { box: dialog.getBoundingClientRect(), weight: WEIGHTS.dialog },
  ]
}

function controlsIn(scope: ParentNode, region: HTMLElement): Obstacle[] {
  return Array.from(scope.querySelectorAll<HTMLElement>(CONTROLS)).flatMap((control) => {
    if (region.contains(control)) return []
    // A wrapped link has a box per line, with room between them.
    const boxes = Array.from(control.getClientRects()).filter(isInViewport)
    if (boxes.length === 0 || control.closest('[inert]') || getComputedStyle(control).visibility === 'hidden')
      return []
    const weight = weightOf(control)
    return boxes.map((box) => ({ box, weight }))
  })
}

function importantTextAround(region: HTMLElement): Node[] {
  return Array.from(document.querySelectorAll(IMPORTANT_TEXT)).filter((element) => !region.contains(element))
}

function textNodesIn(dialog: HTMLElement, region: HTMLElement): Node[] {
  const walker = document.createTreeWalker(dialog, NodeFilter.SHOW_TEXT)
  const texts: Node[] = []
  while (walker.nextNode()) {
    if (walker.currentNode.nodeValue?.trim() && !region.contains(walker.currentNode))
      texts.push(walker.currentNode)
  }
  return texts
}

function linesOf(text: Node): Obstacle[] {
  const range = document.createRange()
  range.selectNodeContents(text)
  return Array.from(range.getClientRects())
    .filter(isInViewport)
    .map((box) => ({ box, weight: WEIGHTS.text }))
}

function isInViewport({ left, top, right, bottom }: DOMRect): boolean {
  return right > left && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
}

function weightOf(control: HTMLElement): number {
  if (control.matches(IN_USE)) return WEIGHTS.inUse
  if (control.matches(BUY_BUTTON)) return WEIGHTS.buyButton
  if (control instanceof HTMLLabelElement && control.control?.matches(TEXT_ENTRY)) return WEIGHTS.label
  return control.matches(PRESSABLE) ? WEIGHTS.control : WEIGHTS.link
}
