import { parseNumber } from '../edit/parse-number.ts'

/** One colour of the catalogue file, with its product's columns repeated. The keys are those of `import_catalogue`. */
export type FileRow = Record<string, string | number | boolean | null>

type Kind = 'text' | 'optional' | 'number' | 'yes-no'

interface FileColumn {
  key: string
  header: string
  /** Headers in files of earlier versions. */
  formerHeaders?: readonly string[]
  kind: Kind
}

/** In the order of the file. The two addresses identify the product and the colour. */
export const FILE_COLUMNS: readonly FileColumn[] = [
  { key: 'lure', header: 'Lure address', kind: 'text' },
  { key: 'colour', header: 'Colour address', kind: 'text' },
  { key: 'name', header: 'Lure', kind: 'text' },
  { key: 'colour_name', header: 'Colour', kind: 'text' },
  { key: 'sku', header: 'SKU', kind: 'optional' },
  { key: 'stock_quantity', header: 'Stock', kind: 'number' },
  { key: 'price', header: 'Price without hooks', kind: 'number' },
  { key: 'price_with_hooks', header: 'Price with hooks', kind: 'number' },
  { key: 'status', header: 'Status', kind: 'text' },
  { key: 'category', header: 'Category', kind: 'optional' },
  { key: 'description', header: 'Description', kind: 'text' },
  { key: 'model', header: 'Model', kind: 'optional' },
  { key: 'length_mm', header: 'Length (mm)', kind: 'number' },
  { key: 'weight_grams', header: 'Weight (g)', kind: 'number' },
  { key: 'hook_size', header: 'Recommended hook', kind: 'optional' },
  { key: 'made_to_order', header: 'Made to order', kind: 'yes-no' },
  {
    key: 'low_stock_threshold',
    header: 'Low-stock threshold',
    formerHeaders: ['Low-stock level', 'Low from'],
    kind: 'number',
  },
  { key: 'image_url', header: 'Picture', kind: 'optional' },
  { key: 'image_alt', header: 'Picture shows', kind: 'optional' },
]

export function headerOf(key: string): string {
  return FILE_COLUMNS.find((column) => column.key === key)?.header ?? key
}

export function cellText(value: FileRow[string] | undefined): string {
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
    Object.fromEntries(columns.map(({ key, kind }, at) => [key, parseCell(kind, (cells[at] ?? '').trim())])),
  )
}

function findColumn(typed: string): FileColumn {
  const normalized = typed.trim().toLowerCase()
  const column = FILE_COLUMNS.find(({ header, formerHeaders = [] }) =>
    [header, ...formerHeaders].some((name) => name.toLowerCase() === normalized),
  )
  if (!column) throw new Error(`The file has a column “${typed}”, which the catalogue does not have.`)
  return column
}

function parseCell(kind: Kind, text: string): FileRow[string] {
  switch (kind) {
    case 'number':
      return parseNumber(text)
    case 'yes-no':
      return /^(yes|ja|true|1|x)$/i.test(text) ? true : /^(no|nee|false|0|)$/i.test(text) ? false : text
    case 'optional':
      return text === '' ? null : text
    case 'text':
      return text
  }
}
