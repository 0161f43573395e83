import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { BrowserClient, Tables } from '#database'
import { queryAllRows, queryWithCount } from '#app/data/query-backend.ts'
import { shop } from '#shop'
import type { HistoryView } from './history-view.ts'

export type RecordedRow = Record<string, unknown>

/** One entry of the history: a change to one row. */
export type Change = Omit<Tables<'history'>, 'session_id' | 'personal' | 'row_label'>

export const CHANGES_ON_A_PAGE = 50

export interface HistoryPage {
  changes: Change[]
  count: number
}

export function useHistoryPage(view: HistoryView) {
  return useQuery({
    queryKey: ['history', view],
    queryFn: () => loadChanges(view),
    placeholderData: keepPreviousData,
  })
}

/** Returns all changes that match the filters. */
export function loadAllChanges(view: HistoryView): Promise<Change[]> {
  return queryAllRows<Change>((backend, { first, last }) => buildQuery(backend, view).range(first, last))
}

async function loadChanges(view: HistoryView): Promise<HistoryPage> {
  const first = (view.page - 1) * CHANGES_ON_A_PAGE
  const { data: changes, count } = await queryWithCount((backend) =>
    buildQuery(backend, view).range(first, first + CHANGES_ON_A_PAGE - 1),
  )
  return { changes, count }
}

function buildQuery(backend: BrowserClient, { who, thing, row, from, to }: HistoryView) {
  let query = backend.from('history').select('*', { count: 'estimated' })
  if (who) query = query.eq('actor_id', who)
  if (thing) query = query.eq('table_name', thing)
  if (row) query = query.eq('row_id', row)
  // PostgreSQL converts the shop's local dates.
  if (from) query = query.gte('changed_at', `${from} 00:00 ${shop.timeZone}`)
  if (to) query = query.lt('changed_at', `${to} 24:00 ${shop.timeZone}`)
  return query.order('id', { ascending: false })
}
