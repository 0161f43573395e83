/**
 * Figures as people and spreadsheets write them: `120`, `R1 234,50`, `1,234.50`. What cannot be read stays as it was typed, and
 * the database says so at its cell.
 */
export function parseNumber(text: string): number | string | null {
  const bare = text.replace(/^\s*R/i, '').replaceAll(/[\s\u00a0']/g, '')
  if (bare === '') return null
  const plain = withPoint(bare)
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : text
}

/** The last of comma and point parts rand from cents; three figures after a lone comma are thousands. */
function withPoint(bare: string): string {
  const comma = bare.lastIndexOf(',')
  const point = bare.lastIndexOf('.')
  if (comma === -1) return bare
  if (point > comma) return bare.replaceAll(',', '')
  const isThousands = point === -1 && /^-?\d{1,3}(,\d{3})+$/.test(bare)
  if (isThousands) return bare.replaceAll(',', '')
  return bare.replaceAll('.', '').replace(',', '.')
}
