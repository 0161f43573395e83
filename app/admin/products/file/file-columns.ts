import { fieldLabel, PRODUCT_FIELDS, VARIANT_FIELDS, type ProductField } from '#domain/product-fields.ts'
import { momentOf, southAfricanDateTime } from '#domain/south-african-time.ts'
import { parseValue } from '../fields.ts'

/** One colour of the catalogue file, with its product's columns repeated. The keys are those of `import_catalogue`. */
export type FileRow = Record<string, string | number | boolean | null>

interface FileColumn {
  key: string
  header: string
  /** Also the headers in files of earlier versions. */
  headers: readonly string[]
  field: ProductField
}

const { name: colour_name, sku, stock_quantity, ...pictureFields } = VARIANT_FIELDS
const { name, ...productFields } = PRODUCT_FIELDS

/**
 * In the order of the file. The two addresses identify the product and the colour. An import compares the stock with the exported one,
 * so that it changes only edited figures: others may be out of date because of a sale.
 */
export const FILE_COLUMNS: readonly FileColumn[] = Object.entries<ProductField>({
  lure: { label: 'Lure address', kind: 'line' },
  colour: { label: 'Colour address', kind: 'line' },
  name,
  colour_name,
  sku,
  stock_quantity,
  exported_stock: { label: 'Stock when exported', kind: 'number' },
  ...productFields,
  ...pictureFields,
})
  .filter(([, { kind }]) => !['slug', 'list'].includes(kind))
  .map(([key, field]) => {
    const header = fieldLabel(field)
    return { key, header, headers: [header, ...(field.formerHeaders ?? [])], field }
  })

export function kindOf(key: string): ProductField['kind'] | undefined {
  return FILE_COLUMNS.find((column) => column.key === key)?.field.kind
}

export function headerOf(key: string): string {
  return FILE_COLUMNS.find((column) => column.key === key)?.header ?? key
}

/** `kind`: of the field; a `time` is written in South African time. */
export function cellText(value: FileRow[string] | undefined, kind?: ProductField['kind']): string {
  if (kind === 'time' && typeof value === 'string') return southAfricanDateTime(value).replace('T', ' ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value === null || value === undefined ? '' : String(value)
}

/**
 * Parses the cells of a catalogue file. The database validates the values. Columns may come in any order; an import leaves the values
 * of missing columns as they are. Throws when the cells are not a catalogue; the message is for the admin.
 */
export function parseCatalogueRows([headers = [], ...lines]: string[][]): FileRow[] {
  const columns = headers.map((header) => findColumn(header))
  const keys = columns.map(({ key }) => key)
  for (const needed of ['lure', 'colour']) {
    if (!keys.includes(needed)) throw new Error(`The file has no column “${headerOf(needed)}”.`)
  }
  if (lines.length === 0) throw new Error('The file has no rows below its header.')
  return lines.map((cells) =>
    Object.fromEntries(
      columns.map(({ key, field }, at) => [key, parseCell(field, (cells[at] ?? '').trim())]),
    ),
  )
}

function parseCell(field: ProductField, text: string): FileRow[string] {
  if (field.kind !== 'time') return parseValue(field, text)
  return text === '' ? null : (momentOf(spreadsheetDateTime(text)) ?? text)
}

/** `2026/11/4 7:00:00`, as spreadsheets save a time, becomes `2026-11-04T07:00`. */
function spreadsheetDateTime(text: string): string {
  return text
    .replaceAll('/', '-')
    .replaceAll(/\b\d\b/g, '0$&')
    .replace(/(:\d\d):00$/, '$1')
    .replace(' ', 'T')
}

function findColumn(typed: string): FileColumn {
  const normalized = typed.trim().toLowerCase()
  const column = FILE_COLUMNS.find(({ headers }) =>
    headers.some((header) => header.toLowerCase() === normalized),
  )
  if (!column) throw new Error(`The file has a column “${typed}”, which the catalogue does not have.`)
  return column
}
