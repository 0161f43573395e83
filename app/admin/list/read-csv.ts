/**
 * The rows of a file that a spreadsheet has saved (RFC 4180, with the semicolons of a spreadsheet that writes decimal commas). The
 * apostrophe that `csvText` puts before a formula is taken off again.
 */
export function readCsv(text: string): string[][] {
  const bare = text.replace(/^\uFEFF/, '')
  const separator = separatorOf(bare)
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"|((?!")[^${separator}\\r\\n]*))(${separator}|\\r\\n|\\r|\\n|$)`,
    'y',
  )
  const rows: string[][] = [[]]
  while (cell.lastIndex < bare.length) {
    const [, quoted, plain = '', end] = cell.exec(bare) ?? []
    rows.at(-1)?.push(withoutGuard(quoted === undefined ? plain : quoted.replaceAll('""', '"')))
    // A quote that is never closed: what follows cannot be told apart.
    if (end === undefined) throw new Error('A quotation mark in this file is not closed.')
    if (end === separator && cell.lastIndex === bare.length) rows.at(-1)?.push('')
    if (end !== separator && cell.lastIndex < bare.length) rows.push([])
  }
  return rows.filter((cells) => cells.some((value) => value.trim() !== ''))
}

function separatorOf(text: string): string {
  const [head = ''] = text.split(/\r|\n/, 1)
  const count = (separator: string) => head.split(separator).length
  return count(';') > count(',') ? ';' : count('\t') > count(',') ? '\t' : ','
}

function withoutGuard(value: string): string {
  return /^'[=+\-@\t\r]/.test(value) ? value.slice(1) : value
}
