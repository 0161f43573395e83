import { Download } from 'lucide-react'
import { Button } from '#app/ui/button.tsx'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import { csvText, saveCsv } from './csv.ts'
import { loadAllRows } from '../list/load-rows.ts'
import type { ListState } from '../list/use-list.ts'

/** The CSV format of a list. */
export interface ListFile<Row> {
  name: string
  columns: readonly (readonly [header: string, cell: (row: Row) => string | null])[]
  /** Selects the rows to export; without it, all of them. */
  includes?: (row: Row) => boolean
}

export function linesOf<Row>({ columns }: ListFile<Row>, rows: Row[]): string[][] {
  return rows.map((row) => columns.map(([, cell]) => cell(row) ?? ''))
}

function saveRows<Row>(file: ListFile<Row>, rows: Row[]): void {
  const header = file.columns.map(([name]) => name)
  saveCsv(file.name, csvText(header, linesOf(file, rows)))
}

interface ExportProps<Row> {
  list: ListState<Row>
  file: ListFile<Row>
  label?: string
}

/** Exports all filtered rows of the list, over all pages. */
export function ExportButton<Row>({ list, ...button }: ExportProps<Row>) {
  const isEmpty = (list.page.data?.count ?? 0) === 0
  return <CsvButton {...button} load={() => loadAllRows(list.definition, list.view)} isDisabled={isEmpty} />
}

interface ButtonProps<Row> {
  file: ListFile<Row>
  load: () => Promise<Row[]>
  label?: string
  isDisabled?: boolean
}

/** Exports the rows that `load` returns. */
export function CsvButton<Row>({ file, load, label = 'Export CSV', isDisabled = false }: ButtonProps<Row>) {
  const exporting = useToastMutation({
    mutationFn: async () => {
      const rows = await load()
      const included = file.includes ? rows.filter(file.includes) : rows
      saveRows(file, included)
    },
    invalidates: [],
  })

  return (
    <Button disabled={isDisabled || exporting.isPending} onClick={() => exporting.mutate()}>
      <Download size={18} aria-hidden /> {exporting.isPending ? 'Exporting...' : label}
    </Button>
  )
}
