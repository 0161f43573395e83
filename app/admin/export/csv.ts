const SEPARATOR = ';'

/**
 * Returns an RFC 4180 file with semicolons, because a South African Excel uses decimal commas and opens a comma-separated file in a
 * single column. Prevents CSV injection with an apostrophe before cells that would be formulas. Format phone numbers with
 * `formatPhone`: they then start with 0 and need no apostrophe.
 */
export function csvText(header: string[], rows: string[][]): string {
  return [header, ...rows].map((cells) => `${cells.map(cell).join(SEPARATOR)}\r\n`).join('')
}

function cell(value: string): string {
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",;\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Downloads the text as a file. The byte order mark makes Excel read it as UTF-8. */
export function saveCsv(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
