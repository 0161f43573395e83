/**
 * The `ref` of what a dialog is opened for. The browser looks for the attribute when the dialog opens, and takes the first thing
 * in it otherwise; React's `autoFocus` would ask before, when nothing in it can have the focus yet.
 */
export function autofocusRef(element: HTMLElement | null): void {
  element?.setAttribute('autofocus', '')
}
