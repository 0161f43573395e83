import { addVariant, editCell, PRODUCT_ROW, type Edits, type SavedRecord } from './edits.ts'
import { fieldLabel, PRODUCT_FIELDS, VARIANT_FIELDS } from '#domain/product-fields.ts'

/** The variant table's columns, from left to right. */
export const VARIANT_TABLE_COLUMNS = ['name', 'sku', 'stock_quantity', 'price', 'price_with_hooks'] as const
export type VariantTableColumn = (typeof VARIANT_TABLE_COLUMNS)[number]

const PRICES = { price: PRODUCT_FIELDS.price, price_with_hooks: PRODUCT_FIELDS.price_with_hooks }

export function columnLabel(column: VariantTableColumn): string {
  return fieldLabel({ ...VARIANT_FIELDS, ...PRICES }[column])
}

/** Prices are editable in the product's row only, the other columns in the colours' rows only. */
export function isEditable(row: string, column: VariantTableColumn): boolean {
  return (row === PRODUCT_ROW) === column in PRICES
}

/** Parses a spreadsheet's clipboard text: tabs between cells, a line break after each row, quotes around special characters. */
export function parseClipboard(clipboard: string): string[][] {
  const rows: string[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/y
  while (cell.lastIndex < clipboard.length) {
    const [, quoted, bare, end] = cell.exec(clipboard) ?? []
    rows.at(-1)?.push(quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'))
    if (end === undefined) break
    if (end !== '\t' && end !== '' && cell.lastIndex < clipboard.length) rows.push([])
  }
  return rows
}

export interface PasteTarget {
  rows: string[]
  row: string
  column: VariantTableColumn
}

/** Writes the copied cells from the target to the right and down. Rows below the last one become new colours. */
export function paste(
  edits: Edits,
  record: SavedRecord,
  { cells, at }: { cells: string[][]; at: PasteTarget },
): Edits {
  const firstRow = at.rows.indexOf(at.row)
  const firstColumn = VARIANT_TABLE_COLUMNS.indexOf(at.column)
  let pasted = edits
  cells.forEach((texts, down) => {
    const existing = at.rows[firstRow + down]
    const row = existing ?? crypto.randomUUID()
    if (existing === undefined) pasted = addVariant(pasted, row)
    texts.forEach((text, right) => {
      const column = VARIANT_TABLE_COLUMNS[firstColumn + right]
      // Text for a read-only cell is ignored.
      if (column !== undefined && isEditable(row, column))
        pasted = editCell(pasted, record, { row, column, typed: text.trim() })
    })
  })
  return pasted
}
