import type { KeyboardEvent } from 'react'

/**
 * Moves the focus as in a spreadsheet: up and down always, left and right when the caret is at the end of the text, Enter down and
 * Shift+Enter up. Selects the text of the new cell, so that typing replaces it.
 */
export function moveFocus(event: KeyboardEvent, table: HTMLTableElement | null): void {
  const field = event.target
  if (!table || !(field instanceof HTMLInputElement) || event.ctrlKey || event.metaKey || event.altKey) return
  const next = neighbour(field, table, event)
  if (next === undefined) return
  event.preventDefault()
  next?.focus()
  next?.select()
}

/** Returns `undefined` when the key moves the caret within the field, `null` at the table's edge. */
function neighbour(
  field: HTMLInputElement,
  table: HTMLTableElement,
  { key, shiftKey }: KeyboardEvent,
): HTMLInputElement | null | undefined {
  switch (key) {
    case 'ArrowDown':
      return vertical(field, table, 1)
    case 'ArrowUp':
      return vertical(field, table, -1)
    case 'Enter':
      return vertical(field, table, shiftKey ? -1 : 1)
    case 'ArrowLeft':
      return field.selectionEnd === 0 || isWholeSelected(field) ? horizontal(field, table, -1) : undefined
    case 'ArrowRight':
      return field.selectionStart === field.value.length || isWholeSelected(field)
        ? horizontal(field, table, 1)
        : undefined
    default:
      return undefined
  }
}

function isWholeSelected({ selectionStart, selectionEnd, value }: HTMLInputElement): boolean {
  return selectionStart === 0 && selectionEnd === value.length
}

function fields(table: HTMLTableElement): HTMLInputElement[] {
  return [...table.querySelectorAll<HTMLInputElement>('input[data-column]:not(:disabled)')]
}

function vertical(field: HTMLInputElement, table: HTMLTableElement, by: 1 | -1): HTMLInputElement | null {
  const column = fields(table).filter((other) => other.dataset['column'] === field.dataset['column'])
  return column[column.indexOf(field) + by] ?? null
}

function horizontal(field: HTMLInputElement, table: HTMLTableElement, by: 1 | -1): HTMLInputElement | null {
  const all = fields(table)
  return all[all.indexOf(field) + by] ?? null
}
