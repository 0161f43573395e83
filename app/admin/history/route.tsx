import { useQueryClient } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, Download } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { Button, IconLink } from '#app/ui/button.tsx'
import { Row, Stack } from '#app/ui/layout.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { csvText, saveCsv } from '../export/csv.ts'
import { countText } from '../list/list.ts'
import { ResourceList } from '../list/resource-list.tsx'
import { CHANGES_ON_A_PAGE, loadAllChanges, useHistoryPage } from './change.ts'
import { ChangeCard } from './change-card.tsx'
import { CSV_COLUMNS, csvRow } from './change-csv.ts'
import { HistoryFilter } from './history-filter.tsx'
import { NO_FILTERS, historyAddress, historyLink, readHistoryView, type HistoryView } from './history-view.ts'

const EMPTY = {
  title: 'No changes yet',
  advice: 'Changes that staff make appear here, with the values before and after.',
}
const NOTHING_FOUND = { title: 'No changes found', advice: 'Try another person, item or period.' }

/** The audit log: who changed what and when, with old and new values and Undo. */
export default function History() {
  const [address] = useSearchParams()
  const view = readHistoryView(address)
  const page = useHistoryPage(view)
  const isFiltered = historyAddress({ ...view, page: 1 }) !== historyAddress(NO_FILTERS)

  return (
    <ResourceList
      title="History"
      query={page}
      rowsOf={({ changes }) => changes}
      empty={isFiltered ? NOTHING_FOUND : EMPTY}
      action={<ExportButton view={view} count={page.data?.count ?? 0} />}
      filter={<HistoryFilter view={view} />}
    >
      {(changes) => (
        <>
          <Stack as="ol">
            {changes.map((change) => (
              <ChangeCard key={change.id} change={change} />
            ))}
          </Stack>
          <Pages view={view} count={page.data?.count ?? 0} />
        </>
      )}
    </ResourceList>
  )
}

function ExportButton({ view, count }: { view: HistoryView; count: number }) {
  const toast = useToast()
  const queryClient = useQueryClient()

  const save = async () => {
    const changes = await queryClient.fetchQuery({
      queryKey: ['history', 'all', view],
      queryFn: () => loadAllChanges(view),
    })
    saveCsv('history.csv', csvText(CSV_COLUMNS, changes.map(csvRow)))
  }
  const showError = (error: Error) =>
    toast({ title: 'Error', description: error.message, tone: 'destructive' })

  return (
    <Button disabled={count === 0} onClick={() => void save().catch(showError)}>
      <Download size={18} aria-hidden /> Export CSV ({countText(count)})
    </Button>
  )
}

function Pages({ view, count }: { view: HistoryView; count: number }) {
  const first = (view.page - 1) * CHANGES_ON_A_PAGE + 1
  const last = Math.min(view.page * CHANGES_ON_A_PAGE, count)
  const addressOf = (page: number) => historyLink({ ...view, page })

  return (
    <Row touch as="nav" gap={2} aria-label="Pages of the history">
      <span>
        {first}–{last} of {countText(count)}
      </span>
      {view.page > 1 && <IconLink icon={ChevronLeft} label="Newer changes" to={addressOf(view.page - 1)} />}
      {last < count && <IconLink icon={ChevronRight} label="Older changes" to={addressOf(view.page + 1)} />}
    </Row>
  )
}
