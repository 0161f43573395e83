import { parseNumber } from './parse-number.ts'
import type { ProductCells, ProductRecord, VariantCells } from './record.ts'

/**
 * The unsaved changes of a product's page: each edited cell with the value that it had when the edit began. Other cells show the
 * loaded record, so that a sale appears at once.
 */
export interface Edits {
  product: CellEdits<ProductCells>
  variants: Record<string, CellEdits<VariantCells>>
  /** New colours, by a key that exists only on this page. */
  added: Record<string, AddedVariant>
  removed: string[]
  /** The colours' rows in their new order; null until one is moved. */
  order: string[] | null
}

export interface CellEdit {
  was: unknown
  /** Numbers stay text until the page is saved. */
  now: unknown
}
export type CellEdits<Cells> = Partial<Record<keyof Cells, CellEdit>>

export interface AddedVariant {
  name: string
  sku: string
  stock_quantity: string
  image_url: string | null
  image_alt: string | null
}

export const NO_EDITS: Edits = { product: {}, variants: {}, added: {}, removed: [], order: null }
const EMPTY_VARIANT: AddedVariant = {
  name: '',
  sku: '',
  stock_quantity: '0',
  image_url: null,
  image_alt: null,
}

const NUMBER_COLUMNS = new Set([
  'price',
  'price_with_hooks',
  'length_mm',
  'weight_grams',
  'low_stock_threshold',
  'stock_quantity',
])
/** Text columns that store an empty text as null. */
const NULLABLE_TEXT_COLUMNS = new Set(['category', 'model', 'hook_size', 'sku', 'image_alt'])

export function textOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : typeof value === 'string' ? value : ''
}

/** The cell's value for the database. */
function parseCell(column: string, typed: unknown): unknown {
  if (typeof typed !== 'string') return typed
  if (NUMBER_COLUMNS.has(column)) return parseNumber(typed)
  const line = column === 'description' ? typed : typed.trim()
  return NULLABLE_TEXT_COLUMNS.has(column) && line === '' ? null : line
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Adds or replaces the edit of a cell, or drops it when the cell has its saved value again. */
function withCell<Cells>(
  edits: CellEdits<Cells>,
  column: keyof Cells & string,
  { saved, typed }: { saved: unknown; typed: unknown },
): CellEdits<Cells> {
  const was = edits[column] ? edits[column].was : saved
  const { [column]: _before, ...others } = edits
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest of a record is that record without one key
  const rest = others as CellEdits<Cells>
  return isSame(parseCell(column, typed), was) ? rest : { ...rest, [column]: { was, now: typed } }
}

export function editProduct(
  edits: Edits,
  record: ProductRecord,
  { column, typed }: { column: keyof ProductCells; typed: unknown },
): Edits {
  return { ...edits, product: withCell(edits.product, column, { saved: record[column], typed }) }
}

export interface VariantEdit {
  /** A colour's id, or the key of a new one. */
  row: string
  column: keyof VariantCells
  typed: unknown
}

export function editVariant(edits: Edits, record: ProductRecord, { row, column, typed }: VariantEdit): Edits {
  const added = edits.added[row]
  if (added) return { ...edits, added: { ...edits.added, [row]: { ...added, [column]: typed } } }
  const variant = record.product_variants.find(({ id }) => id === row)
  if (!variant) return edits
  const cells = withCell<VariantCells>(edits.variants[row] ?? {}, column, {
    saved: variant[column],
    typed,
  })
  const { [row]: _before, ...others } = edits.variants
  return { ...edits, variants: Object.keys(cells).length > 0 ? { ...others, [row]: cells } : others }
}

export function addVariant(edits: Edits, key: string, cells: Partial<AddedVariant> = {}): Edits {
  return { ...edits, added: { ...edits.added, [key]: { ...EMPTY_VARIANT, ...cells } } }
}

/** Drops a new colour, and marks a saved one for deletion. */
export function removeVariant(edits: Edits, row: string): Edits {
  if (edits.added[row]) {
    const { [row]: _removed, ...added } = edits.added
    return { ...edits, added }
  }
  return { ...edits, removed: [...edits.removed, row] }
}

export function restoreVariant(edits: Edits, row: string): Edits {
  return { ...edits, removed: edits.removed.filter((id) => id !== row) }
}

/** The colours' rows in display order, new ones last. */
export function variantRows({ order, added }: Edits, record: ProductRecord): string[] {
  const rows = [...record.product_variants.map(({ id }) => id), ...Object.keys(added)]
  if (!order) return rows
  return [...order.filter((row) => rows.includes(row)), ...rows.filter((row) => !order.includes(row))]
}

/** Moves a colour by one row. The original order counts as no edit. */
export function moveVariant(
  edits: Edits,
  record: ProductRecord,
  { row, by }: { row: string; by: 1 | -1 },
): Edits {
  const rows = variantRows(edits, record)
  const from = rows.indexOf(row)
  if (from === -1 || from + by < 0 || from + by >= rows.length) return edits
  const order = rows.toSpliced(from, 1).toSpliced(from + by, 0, row)
  return { ...edits, order: isSame(order, variantRows({ ...edits, order: null }, record)) ? null : order }
}

export function countEdits({ product, variants, added, removed, order }: Edits): number {
  const cells = Object.values(variants).reduce((sum, cellEdits) => sum + Object.keys(cellEdits).length, 0)
  const moved = order ? 1 : 0
  return Object.keys(product).length + cells + Object.keys(added).length + removed.length + moved
}

/** The argument of `save_product`. The order lists names, because a new colour has no id yet. */
export function changesOf(edits: Edits, record: ProductRecord): object {
  const { product, variants, added, removed, order } = edits
  return {
    product: parseCells(product),
    variants: Object.fromEntries(
      Object.entries(variants)
        .filter(([id]) => !removed.includes(id))
        .map(([id, cells]) => [id, parseCells(cells)]),
    ),
    added: Object.fromEntries(
      Object.entries(added).map(([key, cells]) => [
        key,
        Object.fromEntries(
          Object.entries(cells).map(([column, typed]) => [column, parseCell(column, typed)]),
        ),
      ]),
    ),
    removed,
    order: order ? variantRows(edits, record).map((row) => nameOf(edits, record, row)) : [],
  }
}

function nameOf({ variants, added }: Edits, record: ProductRecord, row: string): unknown {
  const typed = added[row]?.name ?? variants[row]?.name?.now
  return parseCell('name', typed ?? record.product_variants.find(({ id }) => id === row)?.name)
}

function parseCells(cells: Partial<Record<string, CellEdit>>): object {
  return Object.fromEntries(
    Object.entries(cells).map(([column, edit]) => [
      column,
      { was: edit?.was, now: parseCell(column, edit?.now) },
    ]),
  )
}

/** Error messages by row (`product` or a colour's id) and column. */
export type Problems = Record<string, Record<string, string>>
