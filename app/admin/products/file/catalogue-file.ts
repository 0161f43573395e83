import { queryBackend, queryAllRows } from '#app/data/query-backend.ts'
import { backendError } from '#app/data/backend-error.ts'
import type { Returns } from '#database'
import { csvText, saveCsv } from '../../export/csv.ts'
import { readCsvFile } from '../../export/read-csv.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import type { ProductCells, VariantCells } from '../fields.ts'
import { cellText, FILE_COLUMNS, parseCatalogueRows, type FileRow } from './file-columns.ts'

export type ImportRowReport = Returns<'import_catalogue'>[number]

export interface ImportPreview {
  name: string
  rows: FileRow[]
  report: ImportRowReport[]
}

/** Saves the whole catalogue, drafts and hidden products included. Importing the unchanged file changes nothing. */
export async function exportCatalogue(): Promise<void> {
  const products = await queryAllRows((backend, { first, last }) =>
    backend
      .from('products')
      .select('*, product_variants(*)')
      .order('position')
      .order('id')
      .order('position', { referencedTable: 'product_variants' })
      .order('id', { referencedTable: 'product_variants' })
      .range(first, last),
  )
  const rows = products.flatMap(({ product_variants, ...product }) =>
    product_variants.map((variant) => fileRow(product, variant)),
  )
  saveCsv(
    'catalogue.csv',
    csvText(
      FILE_COLUMNS.map(({ header }) => header),
      rows,
    ),
  )
}

/** Returns the cells of a colour in the catalogue file. */
export function fileRow(product: ProductCells, variant: VariantCells & { slug: string }): string[] {
  const { name, slug } = product
  const cells: Record<string, unknown> = {
    ...product,
    ...variant,
    lure: slug,
    colour: variant.slug,
    name,
    colour_name: variant.name,
    exported_stock: variant.stock_quantity,
  }
  return FILE_COLUMNS.map(({ key, field }) => {
    const value = cells[key]
    return typeof value === 'object' || value === undefined ? '' : cellText(scalar(value), field.kind)
  })
}

function scalar(value: unknown): string | number | boolean | null {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

/** Dry run: the database reports on every row and writes nothing. Throws when the file is not a catalogue. */
export async function previewImport(file: File): Promise<ImportPreview> {
  const rows = parseCatalogueRows(await readCsvFile(file))
  const report = await queryBackend((backend) => backend.rpc('import_catalogue', { rows }))
  return { name: file.name, rows, report }
}

export function useImportCatalogue() {
  return useToastMutation({
    mutationFn: ({ rows, report }: ImportPreview) =>
      queryBackend((backend) => backend.rpc('import_catalogue', { rows, judged: report })),
    success: ({ report }) => ({ title: 'Catalogue updated', description: summary(report) }),
    invalidates: ['products'],
  })
}

/** The current report, from the error of an import whose preview is out of date; null for other errors. */
export function reportFromError(error: Error): ImportRowReport[] | null {
  return JSON.parse(backendError(error, 'catalogue_changed', 'invalid_catalogue')?.hint || 'null')
}

export function countOf(report: ImportRowReport[], outcome: ImportRowReport['outcome']): number {
  return report.filter((row) => row.outcome === outcome).length
}

/** Colours whose stock the file sets without saying what it was when the file was made, so that sales since are not noticed. */
export function countOverwrittenStock({ rows, report }: ImportPreview): number {
  return report.filter(
    ({ outcome, changes }, at) =>
      outcome === 'changed' && 'stock_quantity' in changes && (rows[at]?.['exported_stock'] ?? null) === null,
  ).length
}

function summary(report: ImportRowReport[]): string {
  return `${countOf(report, 'new')} new, ${countOf(report, 'changed')} changed, ${countOf(report, 'same')} unchanged.`
}
