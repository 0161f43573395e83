import { parseNumber } from './parse-number.ts'
import type { ProductCells, ProductRecord, VariantCells } from './record.ts'

/**
 * What was changed on a product's page and not yet saved: for each cell what stood there when it was touched, and what stands
 * there now. All else is shown as the database has it, so a sale meanwhile shows at once.
 */
export interface Edits {
  product: CellEdits<ProductCells>
  variants: Record<string, CellEdits<VariantCells>>
  /** New colours, by a key of the page's own. */
  added: Record<string, AddedVariant>
  removed: string[]
  /** The colours' rows from first to last, once somebody has moved one. */
  order: string[] | null
}

export interface CellEdit {
  was: unknown
  /** Figures as they were typed: they are read when they are saved. */
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
export const EMPTY_VARIANT: AddedVariant = {
  name: '',
  sku: '',
  stock_quantity: '0',
  image_url: null,
  image_alt: null,
}

const FIGURES = new Set([
  'price',
  'price_with_hooks',
  'length_mm',
  'weight_grams',
  'low_stock_threshold',
  'stock_quantity',
])
/** Lines that may be empty, which the tables keep as nothing. */
const OPTIONAL_LINES = new Set(['category', 'model', 'hook_size', 'sku', 'image_alt'])

/** A cell's text as a field shows it. */
export function textOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : typeof value === 'string' ? value : ''
}

/** A cell as the database keeps it. */
function valueOf(column: string, typed: unknown): unknown {
  if (typeof typed !== 'string') return typed
  if (FIGURES.has(column)) return parseNumber(typed)
  const line = column === 'description' ? typed : typed.trim()
  return OPTIONAL_LINES.has(column) && line === '' ? null : line
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** A cell's edits after something was typed; what is back at the start is no edit. */
function withCell<Cells>(
  edits: CellEdits<Cells>,
  column: keyof Cells & string,
  { standing, typed }: { standing: unknown; typed: unknown },
): CellEdits<Cells> {
  const was = edits[column] ? edits[column].was : standing
  const { [column]: _before, ...others } = edits
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest of a record is that record without one key
  const rest = others as CellEdits<Cells>
  return isSame(valueOf(column, typed), was) ? rest : { ...rest, [column]: { was, now: typed } }
}

export function editProduct(
  edits: Edits,
  record: ProductRecord,
  { column, typed }: { column: keyof ProductCells; typed: unknown },
): Edits {
  return { ...edits, product: withCell(edits.product, column, { standing: record[column], typed }) }
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
    standing: variant[column],
    typed,
  })
  const { [row]: _before, ...others } = edits.variants
  return { ...edits, variants: Object.keys(cells).length > 0 ? { ...others, [row]: cells } : others }
}

export function addVariant(edits: Edits, key: string, cells: Partial<AddedVariant> = {}): Edits {
  return { ...edits, added: { ...edits.added, [key]: { ...EMPTY_VARIANT, ...cells } } }
}

/** A new colour is gone; one that is kept is marked until the page is saved. */
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

/** The rows of the colours as they stand on the page: moved ones where they were moved to, new ones at the end. */
export function variantRows({ order, added }: Edits, record: ProductRecord): string[] {
  const rows = [...record.product_variants.map(({ id }) => id), ...Object.keys(added)]
  if (!order) return rows
  return [...order.filter((row) => rows.includes(row)), ...rows.filter((row) => !order.includes(row))]
}

/** One place up or down; back in its first place it was not moved. */
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

/** As `save_product` takes them. The order goes by names, because a new colour has no id yet. */
export function changesOf(edits: Edits, record: ProductRecord): object {
  const { product, variants, added, removed, order } = edits
  return {
    product: readCells(product),
    variants: Object.fromEntries(
      Object.entries(variants)
        .filter(([id]) => !removed.includes(id))
        .map(([id, cells]) => [id, readCells(cells)]),
    ),
    added: Object.fromEntries(
      Object.entries(added).map(([key, cells]) => [
        key,
        Object.fromEntries(Object.entries(cells).map(([column, typed]) => [column, valueOf(column, typed)])),
      ]),
    ),
    removed,
    order: order ? variantRows(edits, record).map((row) => nameOf(edits, record, row)) : [],
  }
}

function nameOf({ variants, added }: Edits, record: ProductRecord, row: string): unknown {
  const typed = added[row]?.name ?? variants[row]?.name?.now
  return valueOf('name', typed ?? record.product_variants.find(({ id }) => id === row)?.name)
}

function readCells(cells: Partial<Record<string, CellEdit>>): object {
  return Object.fromEntries(
    Object.entries(cells).map(([column, edit]) => [
      column,
      { was: edit?.was, now: valueOf(column, edit?.now) },
    ]),
  )
}

/** What is wrong, a sentence for each cell: by row (`product` or a colour's id) and column. */
export type Problems = Record<string, Record<string, string>>
