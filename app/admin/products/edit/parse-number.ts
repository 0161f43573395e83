/**
 * Parses numbers as people and spreadsheets write them: `120`, `R1 234,50`, `1,234.50`. Returns other text unchanged, which the
 * database rejects with a message for its cell.
 */
export function parseNumber(text: string): number | string | null {
  const bare = text.replace(/^\s*R/i, '').replaceAll(/[\s\u00a0']/g, '')
  if (bare === '') return null
  const plain = withPoint(bare)
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : text
}

/** The last comma or point is the decimal separator. A lone comma before three digits separates thousands. */
function withPoint(bare: string): string {
  const comma = bare.lastIndexOf(',')
  const point = bare.lastIndexOf('.')
  if (comma === -1) return bare
  if (point > comma) return bare.replaceAll(',', '')
  const isThousands = point === -1 && /^-?\d{1,3}(,\d{3})+$/.test(bare)
  if (isThousands) return bare.replaceAll(',', '')
  return bare.replaceAll('.', '').replace(',', '.')
}
