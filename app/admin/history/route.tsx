import { ChevronLeft, ChevronRight } from 'lucide-react'
import { IconLink } from '#app/ui/button.tsx'
import { Row, Stack } from '#app/ui/layout.tsx'
import { ExportButton } from '../export/export-button.tsx'
import { countText, isFiltered, ROWS_ON_A_PAGE } from '../list/list.ts'
import { ResourceList } from '../list/resource-list.tsx'
import { useList, type ListState } from '../list/use-list.ts'
import { ChangeCard } from './change-card.tsx'
import { HISTORY, HISTORY_FILE } from './change-list.ts'
import type { Change } from './change-words.ts'
import { HistoryFilter } from './history-filter.tsx'

const EMPTY = {
  title: 'No changes yet',
  advice: 'Changes that staff make appear here, with the values before and after.',
}
const NOTHING_FOUND = { title: 'No changes found', advice: 'Try another person, item or period.' }

/** The audit log: who changed what and when, with old and new values and Undo. */
export default function History() {
  const list = useList(HISTORY)
  const count = list.page.data?.count ?? 0

  return (
    <ResourceList
      title="History"
      query={list.page}
      rowsOf={({ rows }) => rows}
      empty={isFiltered(list.view) ? NOTHING_FOUND : EMPTY}
      action={<ExportButton list={list} file={HISTORY_FILE} label={`Export CSV (${countText(count)})`} />}
      filter={<HistoryFilter list={list} />}
    >
      {(changes) => (
        <>
          <Stack as="ol">
            {changes.map((change) => (
              <ChangeCard key={change.id} change={change} />
            ))}
          </Stack>
          <Pages list={list} count={count} />
        </>
      )}
    </ResourceList>
  )
}

function Pages({ list, count }: { list: ListState<Change>; count: number }) {
  const { page } = list.view
  const last = Math.min(page * ROWS_ON_A_PAGE, count)
  return (
    <Row touch as="nav" gap={2} aria-label="Pages of the history">
      <span>
        {(page - 1) * ROWS_ON_A_PAGE + 1}–{last} of {countText(count)}
      </span>
      {page > 1 && (
        <IconLink icon={ChevronLeft} label="Newer changes" to={list.addressOf({ page: page - 1 })} />
      )}
      {last < count && (
        <IconLink icon={ChevronRight} label="Older changes" to={list.addressOf({ page: page + 1 })} />
      )}
    </Row>
  )
}
