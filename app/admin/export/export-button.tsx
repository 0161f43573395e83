import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { Button } from '#app/ui/button.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { csvText, saveCsv } from './csv.ts'
import { loadAllRows } from '../list/load-rows.ts'
import type { Selection } from '../list/selection.ts'
import type { ListState } from '../list/use-list.ts'

/** The CSV format of a list. */
export interface ListFile<Row> {
  name: string
  header: string[]
  line: (row: Row) => string[]
  /** Selects the rows to export; without it, all of them. */
  includes?: (row: Row) => boolean
}

/** Exports all filtered rows of the list, over all pages. */
export function ExportButton<Row>({ list, file }: { list: ListState<Row>; file: ListFile<Row> }) {
  const isEmpty = (list.page.data?.count ?? 0) === 0
  return <FileButton file={file} load={() => loadAllRows(list.definition, list.view)} isDisabled={isEmpty} />
}

/** Exports the selected rows. */
export function ExportSelection<Row>({
  selection,
  file,
}: {
  selection: Selection<Row>
  file: ListFile<Row>
}) {
  return <FileButton file={file} load={selection.rows} />
}

interface ButtonProps<Row> {
  file: ListFile<Row>
  load: () => Promise<Row[]>
  isDisabled?: boolean
}

function FileButton<Row>({ file, load, isDisabled = false }: ButtonProps<Row>) {
  const toast = useToast()
  const exporting = useMutation({
    mutationFn: load,
    onSuccess(rows) {
      const included = file.includes ? rows.filter(file.includes) : rows
      saveCsv(file.name, csvText(file.header, included.map(file.line)))
    },
    onError: (error) => toast({ title: 'Error', description: error.message, tone: 'destructive' }),
  })

  return (
    <Button disabled={isDisabled || exporting.isPending} onClick={() => exporting.mutate()}>
      <Download size={18} aria-hidden /> {exporting.isPending ? 'Exporting...' : 'Export CSV'}
    </Button>
  )
}
