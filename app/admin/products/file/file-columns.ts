import { readFigure } from '../edit/figures.ts'

/** A row of the catalogue's file: a colour, with its lure's columns repeated. Keys are those of `import_catalogue`. */
export type FileRow = Record<string, string | number | boolean | null>

type Kind = 'text' | 'optional' | 'figure' | 'yes-no'

interface FileColumn {
  key: string
  head: string
  /** What older files call it; they are still read. */
  formerHeads?: readonly string[]
  kind: Kind
}

/** In the order of the file. The two addresses say which lure and colour a row is about. */
export const FILE_COLUMNS: readonly FileColumn[] = [
  { key: 'lure', head: 'Lure address', kind: 'text' },
  { key: 'colour', head: 'Colour address', kind: 'text' },
  { key: 'name', head: 'Lure', kind: 'text' },
  { key: 'colour_name', head: 'Colour', kind: 'text' },
  { key: 'sku', head: 'SKU', kind: 'optional' },
  { key: 'stock_quantity', head: 'Stock', kind: 'figure' },
  { key: 'price', head: 'Price without hooks', kind: 'figure' },
  { key: 'price_with_hooks', head: 'Price with hooks', kind: 'figure' },
  { key: 'status', head: 'Status', kind: 'text' },
  { key: 'category', head: 'Category', kind: 'optional' },
  { key: 'description', head: 'Description', kind: 'text' },
  { key: 'model', head: 'Model', kind: 'optional' },
  { key: 'length_mm', head: 'Length (mm)', kind: 'figure' },
  { key: 'weight_grams', head: 'Weight (g)', kind: 'figure' },
  { key: 'hook_size', head: 'Recommended hook', kind: 'optional' },
  { key: 'made_to_order', head: 'Made to order', kind: 'yes-no' },
  {
    key: 'low_stock_threshold',
    head: 'Low-stock threshold',
    formerHeads: ['Low-stock level', 'Low from'],
    kind: 'figure',
  },
  { key: 'image_url', head: 'Picture', kind: 'optional' },
  { key: 'image_alt', head: 'Picture shows', kind: 'optional' },
]

export function headOf(key: string): string {
  return FILE_COLUMNS.find((column) => column.key === key)?.head ?? key
}

/** A cell as the file has it. */
export function cellText(value: FileRow[string] | undefined): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return value === null || value === undefined ? '' : String(value)
}

/**
 * The rows of a file for the database, which judges them. Columns may be missing or stand in any order; what the file does not have stays
 * as it is. Throws with a sentence where the file itself is no catalogue.
 */
export function rowsOfFile([heads = [], ...lines]: string[][]): FileRow[] {
  const columns = heads.map((head) => columnOf(head))
  const keys = columns.map(({ key }) => key)
  for (const needed of ['lure', 'colour']) {
    if (!keys.includes(needed)) throw new Error(`The file has no column “${headOf(needed)}”.`)
  }
  if (lines.length === 0) throw new Error('The file has no rows below its heads.')
  return lines.map((cells) =>
    Object.fromEntries(columns.map(({ key, kind }, at) => [key, valueOf(kind, (cells[at] ?? '').trim())])),
  )
}

function columnOf(head: string): FileColumn {
  const wanted = head.trim().toLowerCase()
  const found = FILE_COLUMNS.find(({ head: present, formerHeads = [] }) =>
    [present, ...formerHeads].some((known) => known.toLowerCase() === wanted),
  )
  if (!found) throw new Error(`The file has a column “${head}”, which the catalogue does not know.`)
  return found
}

function valueOf(kind: Kind, text: string): FileRow[string] {
  switch (kind) {
    case 'figure':
      return readFigure(text)
    case 'yes-no':
      return /^(yes|ja|true|1|x)$/i.test(text) ? true : /^(no|nee|false|0|)$/i.test(text) ? false : text
    case 'optional':
      return text === '' ? null : text
    case 'text':
      return text
  }
}
