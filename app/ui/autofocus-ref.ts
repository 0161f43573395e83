/**
 * A `ref` that makes a dialog focus this element when it opens. React's `autoFocus` focuses too early, before the dialog is open, and
 * sets no attribute for the browser to find.
 */
export function autofocusRef(element: HTMLElement | null): void {
  element?.setAttribute('autofocus', '')
}
