import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ShopClient, Tables } from '#database'
import { queryWithCount } from '#app/session/query-backend.ts'
import { shop } from '#shop'
import type { HistoryView } from './history-view.ts'

export type Row = Record<string, unknown>

/** What a person did to one row of a table. */
export type Change = Omit<Tables<'history'>, 'session_id' | 'personal' | 'row_label'>

export const CHANGES_ON_A_PAGE = 50
/** A spreadsheet takes more; a request does not. */
const EXPORT_BATCH = 1000

export interface HistoryPage {
  changes: Change[]
  count: number
}

export function useHistoryPage(view: HistoryView) {
  return useQuery({
    queryKey: ['history', view],
    queryFn: () => loadChanges(view, (view.page - 1) * CHANGES_ON_A_PAGE, CHANGES_ON_A_PAGE),
    placeholderData: keepPreviousData,
  })
}

/** All that the filter finds, for the file. */
export async function loadEveryChange(view: HistoryView): Promise<Change[]> {
  const changes: Change[] = []
  for (;;) {
    // One batch tells whether there is a next.
    // oxlint-disable-next-line no-await-in-loop
    const page = await loadChanges(view, changes.length, EXPORT_BATCH)
    changes.push(...page.changes)
    if (page.changes.length < EXPORT_BATCH) return changes
  }
}

async function loadChanges(view: HistoryView, first: number, atMost: number): Promise<HistoryPage> {
  const { data: changes, count } = await queryWithCount((backend) =>
    filtered(backend, view)
      .order('id', { ascending: false })
      .range(first, first + atMost - 1),
  )
  return { changes, count }
}

function filtered(backend: ShopClient, { who, thing, row, from, to }: HistoryView) {
  let found = backend.from('history').select('*', { count: 'estimated' })
  if (who) found = found.eq('actor_id', who)
  if (thing) found = found.eq('table_name', thing)
  if (row) found = found.eq('row_id', row)
  // The database knows when a day begins in the shop's own time zone.
  if (from) found = found.gte('changed_at', `${from} 00:00 ${shop.timeZone}`)
  if (to) found = found.lt('changed_at', `${to} 24:00 ${shop.timeZone}`)
  return found
}
