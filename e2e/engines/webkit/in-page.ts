// oxlint-disable unicorn/consistent-function-scoping -- These functions run in the page and must be self-contained.
export const NAVIGATION_TAG = '__same_document_navigation__'
export const BINDING_TAG = '__binding_call__'

/** Scripts that run before those of each page, and report through the console what WebKit sends no event for. */
export const BRIDGES = {
  focus: `(${keepFocus.toString()})()`,
  navigation: `(${reportNavigation.toString()})('${NAVIGATION_TAG}')`,
  binding: `(${addBinding.toString()})('${BINDING_TAG}')`,
}

/** Without a window manager a window has no focus; Playwright's own browsers behave as if each page had it. */
function keepFocus(): void {
  Document.prototype.hasFocus = () => true
}

function reportNavigation(tag: string): void {
  const debug = console.debug.bind(console)
  let last = location.href
  const report = () => {
    if (location.href === last) return
    last = location.href
    debug(tag, last)
  }
  for (const name of ['pushState', 'replaceState'] as const) {
    const original = History.prototype[name]
    History.prototype[name] = function (this: History, ...args) {
      original.apply(this, args)
      report()
    }
  }
  addEventListener('popstate', report)
  addEventListener('hashchange', report)
}

function addBinding(tag: string): void {
  const debug = console.debug.bind(console)
  const name = '__playwright__binding__'
  // The empty object carries the id of the context.
  if (!(name in window))
    Object.defineProperty(window, name, { value: (payload: string) => debug(tag, payload, {}) })
}

/** Scrolls an element to the middle of the window. */
export function scrollToMiddle(element: Element): string {
  if (!element.isConnected) return 'Node is detached from document'
  if (element.getClientRects().length === 0) return 'Node does not have a layout object'
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  return ''
}

/** The corners of each of an element's boxes. */
export function quadsOf(element: Element): number[][] {
  return Array.from(element.getClientRects(), ({ left, top, right, bottom }) => [
    left,
    top,
    right,
    top,
    right,
    bottom,
    left,
    bottom,
  ])
}

/** Chooses files, whose content is base64. */
export function chooseFiles(input: HTMLInputElement, files: { name: string; content: string }[]): void {
  const transfer = new DataTransfer()
  const TYPES: Record<string, string> = {
    png: 'image/png',
    jpg: 'image/jpeg',
    webp: 'image/webp',
    csv: 'text/csv',
  }
  for (const { name, content } of files) {
    const bytes = Uint8Array.from(atob(content), (letter) => letter.codePointAt(0) ?? 0)
    transfer.items.add(new File([bytes], name, { type: TYPES[name.split('.').at(-1) ?? ''] ?? '' }))
  }
  input.files = transfer.files
  input.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
  input.dispatchEvent(new Event('change', { bubbles: true }))
}
