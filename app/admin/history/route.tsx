import { Stack } from '#app/ui/layout.tsx'
import { ExportButton } from '../export/export-button.tsx'
import { ListPages } from '../list/list-pages.tsx'
import { emptyStateOf } from '../list/list-screen.tsx'
import { countText } from '../list/list.ts'
import { ResourceList } from '../list/resource-list.tsx'
import { useList } from '../list/use-list.ts'
import { ChangeCard } from './change-card.tsx'
import { HISTORY, HISTORY_FILE } from './change-list.ts'
import { HistoryFilter } from './history-filter.tsx'

const EMPTY = {
  title: 'No changes yet',
  advice: 'Changes that staff make appear here, with the values before and after.',
}

/** The audit log: who changed what and when, with old and new values and Undo. */
export default function History() {
  const list = useList(HISTORY)
  const count = list.page.data?.count ?? 0

  return (
    <ResourceList
      title="History"
      query={list.page}
      rowsOf={({ rows }) => rows}
      empty={emptyStateOf(list, EMPTY)}
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
          <ListPages list={list} isBelow />
        </>
      )}
    </ResourceList>
  )
}
