// oxlint-disable unicorn/consistent-function-scoping -- These functions run in the page and must be self-contained.
/** A control or text by its accessible name. `role` is an ARIA role, or `field` for any input; a string name must match exactly. */
export interface TargetElement {
  role: 'button' | 'link' | 'heading' | 'field' | 'tab' | 'checkbox' | 'radio' | 'dialog' | 'region' | 'text'
  name: string | RegExp
}

/** A target as JSON for the page. */
export interface SerializedTarget {
  role: TargetElement['role']
  source: string
  flags: string
}

export interface Found {
  left: number
  top: number
  right: number
  bottom: number
  isEnabled: boolean
  /** The element that covers the target's centre; `null` if none does. */
  coveredBy: string | null
}

/**
 * Runs in the page: finds the visible target, in the open dialog if there is one, and scrolls it into view. Returns `null` if
 * it is missing. Self-contained: its source is sent to the engine.
 */
export function findInPage({ role, source, flags }: SerializedTarget, scrolls: boolean): Found | null {
  const SELECTORS: Record<SerializedTarget['role'], string> = {
    button: 'button:not([role=tab]), [role=button]',
    link: 'a[href]',
    heading: 'h1, h2, h3',
    field: 'input:not([type=checkbox]):not([type=radio]), textarea, select',
    tab: '[role=tab]',
    checkbox: 'input[type=checkbox]',
    radio: 'input[type=radio]',
    dialog: 'dialog[open]',
    region: 'section, [role=region]',
    text: 'p, span, li, strong, dt, dd, h1, h2, h3',
  }
  const pattern = new RegExp(source, flags)
  const clean = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim()
  const namesOf = (element: Element): string[] => {
    const labelledBy = element.getAttribute('aria-labelledby')
    if (labelledBy) return [clean(document.getElementById(labelledBy)?.textContent)]
    const label = element.getAttribute('aria-label')
    if (label) return [clean(label)]
    const labels =
      element instanceof HTMLInputElement ||
      element instanceof HTMLSelectElement ||
      element instanceof HTMLTextAreaElement
        ? [...(element.labels ?? [])]
        : []
    return labels.length > 0
      ? labels.map(({ textContent }) => clean(textContent))
      : [clean(element.textContent)]
  }
  const isShown = (element: Element) => {
    const { width, height } = element.getBoundingClientRect()
    return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible'
  }
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
  const scope = role === 'dialog' || !dialog ? document : dialog
  const toasts =
    role === 'text' || role === 'button'
      ? [...document.querySelectorAll(`[popover=manual] :is(${SELECTORS[role]})`)]
      : []
  const element = [...scope.querySelectorAll(SELECTORS[role]), ...toasts].find(
    (candidate) => isShown(candidate) && namesOf(candidate).some((name) => pattern.test(name)),
  )
  if (!element) return null

  const pressed = element.closest('label') ?? element
  if (scrolls) pressed.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { left, top, right, bottom } = pressed.getBoundingClientRect()
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
  const isHit = hit && (pressed.contains(hit) || hit.contains(pressed))
  return {
    left,
    top,
    right,
    bottom,
    isEnabled: !element.matches(':disabled, [aria-disabled=true]'),
    coveredBy: isHit ? null : `${hit?.localName ?? 'nothing'} “${clean(hit?.textContent).slice(0, 60)}”`,
  }
}
