import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ShopClient, Tables } from '#database'
import { queryWithCount } from '#app/data/query-backend.ts'
import { shop } from '#shop'
import type { HistoryView } from './history-view.ts'

export type RecordedRow = Record<string, unknown>

/** One entry of the history: a change to one row. */
export type Change = Omit<Tables<'history'>, 'session_id' | 'personal' | 'row_label'>

export const CHANGES_ON_A_PAGE = 50
/** The API's maximum per request. */
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

/** Returns all changes that match the filters. */
export async function loadAllChanges(view: HistoryView): Promise<Change[]> {
  const changes: Change[] = []
  for (;;) {
    // Only a full batch can have another one after it.
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
  let query = backend.from('history').select('*', { count: 'estimated' })
  if (who) query = query.eq('actor_id', who)
  if (thing) query = query.eq('table_name', thing)
  if (row) query = query.eq('row_id', row)
  // PostgreSQL converts the shop's local dates.
  if (from) query = query.gte('changed_at', `${from} 00:00 ${shop.timeZone}`)
  if (to) query = query.lt('changed_at', `${to} 24:00 ${shop.timeZone}`)
  return query
}
