const SEPARATOR = ';'

/**
 * A file for a spreadsheet: RFC 4180 with semicolons, because a South African Excel writes decimal commas and opens a file with
 * commas in a single column. A cell that a spreadsheet would take for a formula gets an apostrophe in front: its words come from
 * strangers. Write phone numbers with `formatPhone`, which begin with 0 and need none.
 */
export function csvText(header: string[], rows: string[][]): string {
  return [header, ...rows].map((cells) => `${cells.map(cell).join(SEPARATOR)}\r\n`).join('')
}

function cell(value: string): string {
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",;\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Hands the browser a file to save. The mark in front tells a spreadsheet that it is UTF-8. */
export function saveCsv(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
