/**
 * Parses a spreadsheet's CSV file (RFC 4180), separated by commas, semicolons or tabs. Removes the apostrophe that `csvText` puts
 * before a formula. Throws when a quotation mark is not closed.
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
    rows.at(-1)?.push(withoutApostrophe(quoted === undefined ? plain : quoted.replaceAll('""', '"')))
    if (end === undefined) throw new Error('A quotation mark in this file is not closed.')
    if (end === separator && cell.lastIndex === bare.length) rows.at(-1)?.push('')
    if (end !== separator && cell.lastIndex < bare.length) rows.push([])
  }
  return rows.filter((cells) => cells.some((value) => value.trim() !== ''))
}

/** Parses a file as `readCsv` does. Throws as it does. */
export async function readCsvFile(file: Blob): Promise<string[][]> {
  return readCsv(textOf(await file.arrayBuffer()))
}

/** Excel's plain "CSV" is in Windows-1252: read as UTF-8, its accents would become replacement characters without an error. */
function textOf(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function separatorOf(text: string): string {
  const [head = ''] = text.split(/\r|\n/, 1)
  const count = (separator: string) => head.split(separator).length
  return count(';') > count(',') ? ';' : count('\t') > count(',') ? '\t' : ','
}

function withoutApostrophe(value: string): string {
  return /^'[=+\-@\t\r]/.test(value) ? value.slice(1) : value
}
