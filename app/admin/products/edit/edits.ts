import { PRODUCT_FIELDS, VARIANT_FIELDS, type ProductField } from '#domain/product-fields.ts'
import { parseValue, type ProductCells } from '../fields.ts'
import type { ProductRecord } from './record.ts'

export const PRODUCT_ROW = 'product'

/** Values by row (`product`, a colour's id, or the key of a new colour) and column. */
export type Rows<Value> = Record<string, Record<string, Value>>

/**
 * The unsaved changes of a product's page: each edited cell with the value that it had when the edit began. Other cells show the
 * loaded record, so that a sale appears at once.
 */
export interface Edits {
  cells: Rows<CellEdit>
  /** New colours, by a key that exists only on this page. */
  added: string[]
  removed: string[]
  /** The colours' rows in their new order; null until one is moved. */
  order: string[] | null
}

export interface CellEdit {
  was: unknown
  /** Numbers stay text until the page is saved. */
  now: unknown
}

export interface Cell {
  row: string
  column: string
}

/** The loaded product. */
export type SavedRecord = Partial<ProductCells> & Pick<ProductRecord, 'product_variants'>

export const NO_EDITS: Edits = { cells: {}, added: [], removed: [], order: null }
/** What the database stores for a new colour without edits. */
const EMPTY_VARIANT = { name: '', sku: null, stock_quantity: 0, image_url: null, image_alt: null }

export function textOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : typeof value === 'string' ? value : ''
}

export function fieldAt({ row, column }: Cell): ProductField | undefined {
  const fields: Partial<Record<string, ProductField>> = row === PRODUCT_ROW ? PRODUCT_FIELDS : VARIANT_FIELDS
  return fields[column]
}

function savedValue(record: SavedRecord, { row, column }: Cell): unknown {
  const variant = record.product_variants.find(({ id }) => id === row)
  const cells: Partial<Record<string, unknown>> = row === PRODUCT_ROW ? record : (variant ?? EMPTY_VARIANT)
  return cells[column]
}

/** The edited value of a cell, else the saved one. */
export function cellValue({ cells }: Edits, record: SavedRecord, cell: Cell): unknown {
  const edit = cells[cell.row]?.[cell.column]
  return edit ? edit.now : savedValue(record, cell)
}

/** The cell's value for the database. */
export function parseCell(cell: Cell, typed: unknown): unknown {
  const field = fieldAt(cell)
  return field && typeof typed === 'string' ? parseValue(field, typed) : typed
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Returns whether `typed` is exactly what a cell shows for the saved value. "Red " and "110.0" are not: more may be typed. */
export function isShown(typed: unknown, saved: unknown): boolean {
  return typeof typed === 'string' ? typed === textOf(saved) : isSame(typed, saved)
}

/** Returns whether the edit stores another value: "110.0" for 110 does not. */
function changesValue(cell: Cell, { was, now }: CellEdit): boolean {
  return !isSame(parseCell(cell, now), was)
}

/** Adds or replaces the edit of a cell, or drops it when the cell shows its saved value again. */
export function editCell(
  edits: Edits,
  record: SavedRecord,
  { typed, ...cell }: Cell & { typed: unknown },
): Edits {
  const { [cell.column]: before, ...others } = edits.cells[cell.row] ?? {}
  const was = before ? before.was : savedValue(record, cell)
  const row = isShown(typed, was) ? others : { ...others, [cell.column]: { was, now: typed } }
  return { ...edits, cells: withRow(edits.cells, cell.row, row) }
}

/** Replaces a row, or drops it when it is empty. */
function withRow(rows: Edits['cells'], row: string, cells: Edits['cells'][string] = {}): Edits['cells'] {
  const { [row]: _before, ...others } = rows
  return Object.keys(cells).length > 0 ? { ...others, [row]: cells } : others
}

export function addVariant(edits: Edits, id: string): Edits {
  return { ...edits, added: [...edits.added, id] }
}

/** Drops a new colour, and marks a saved one for deletion. */
export function removeVariant(edits: Edits, row: string): Edits {
  if (!edits.added.includes(row)) return { ...edits, removed: [...edits.removed, row] }
  return { ...edits, cells: withRow(edits.cells, row), added: edits.added.filter((id) => id !== row) }
}

export function restoreVariant(edits: Edits, row: string): Edits {
  return { ...edits, removed: edits.removed.filter((id) => id !== row) }
}

/** The colours' rows in display order, new ones last. A new colour keeps its id when it is saved. */
export function variantRows({ order, added }: Edits, record: SavedRecord): string[] {
  const rows = [...new Set([...record.product_variants.map(({ id }) => id), ...added])]
  if (!order) return rows
  return [...order.filter((row) => rows.includes(row)), ...rows.filter((row) => !order.includes(row))]
}

/** Moves a colour by one row. The original order counts as no edit. */
export function moveVariant(
  edits: Edits,
  record: SavedRecord,
  { row, by }: { row: string; by: 1 | -1 },
): Edits {
  const rows = variantRows(edits, record)
  const from = rows.indexOf(row)
  if (from === -1 || from + by < 0 || from + by >= rows.length) return edits
  const order = rows.toSpliced(from, 1).toSpliced(from + by, 0, row)
  return { ...edits, order: isSame(order, variantRows({ ...edits, order: null }, record)) ? null : order }
}

export function countEdits({ cells, added, removed, order }: Edits): number {
  const edited = Object.keys(cells).filter((row) => !added.includes(row))
  const count = edited.flatMap((row) => changedCells(row, cells[row])).length
  return count + added.length + removed.length + (order ? 1 : 0)
}

function changedCells(row: string, cells: Edits['cells'][string] = {}): [column: string, edit: CellEdit][] {
  return Object.entries(cells).filter(([column, edit]) => changesValue({ row, column }, edit))
}

/** The argument of `save_product`. */
export function changesOf(edits: Edits, record: SavedRecord) {
  const { cells, removed, order } = edits
  // A new colour that is already saved comes from an earlier save whose response was lost: as an edited one it cannot overwrite a sale.
  const added = edits.added.filter((row) => !record.product_variants.some(({ id }) => id === row))
  const changes = (row: string) =>
    mapEntries(Object.fromEntries(changedCells(row, cells[row])), (column, { was, now }) => ({
      was,
      now: parseCell({ row, column }, now),
    }))
  const newVariant = (row: string) => mapEntries(EMPTY_VARIANT, (column) => value({ row, column }))
  const value = (cell: Cell) => parseCell(cell, cellValue(edits, record, cell))
  const edited = Object.keys(cells).filter(
    (row) =>
      row !== PRODUCT_ROW &&
      ![...added, ...removed].includes(row) &&
      changedCells(row, cells[row]).length > 0,
  )
  return {
    product: changes(PRODUCT_ROW),
    variants: Object.fromEntries(edited.map((row) => [row, changes(row)])),
    added: Object.fromEntries(added.map((row) => [row, newVariant(row)])),
    removed,
    // The database appends new colours in any order, because `added` has none. One needs no order, which could undo someone else's.
    order:
      order || added.length > 1
        ? variantRows(edits, record).map((row) => value({ row, column: 'name' }))
        : [],
  }
}

function mapEntries<Value>(
  cells: Record<string, Value>,
  map: (column: string, value: Value) => unknown,
): object {
  return Object.fromEntries(Object.entries(cells).map(([column, value]) => [column, map(column, value)]))
}
