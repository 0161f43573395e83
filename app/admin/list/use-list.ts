import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { readView, viewAddress, type List, type ListView } from './list.ts'
import { loadPage, type RowsPage } from './load-rows.ts'
import { useSelection, type Selection } from './selection.ts'
import { useLatestLocation } from './use-latest-location.ts'

/** The state of a list in this tab. */
export interface OpenList<Row> {
  list: List<Row>
  view: ListView
  page: UseQueryResult<RowsPage<Row>>
  selection: Selection<Row>
  /** Returns the query string of a changed view, starting on its first page. */
  addressOf: (change: Partial<ListView>) => { search: string }
  /** Changes the latest requested view, even if it is not rendered yet. */
  go: (change: ViewChange, options?: { replace?: boolean }) => void
}

export type ViewChange = (now: ListView) => Partial<ListView>

/** Keeps the list's state in the URL, so that it survives a reload, Back and sharing. */
export function useList<Row>(list: List<Row>): OpenList<Row> {
  const [address] = useSearchParams()
  const view = readView(list, address)
  const page = useQuery({
    queryKey: [list.name, 'page', view],
    queryFn: () => loadPage(list, view),
    placeholderData: keepPreviousData,
  })
  const selection = useSelection(list, view, page.data)
  const navigate = useNavigate()
  const latest = useLatestLocation()
  const { pathname } = useLocation()

  const go: OpenList<Row>['go'] = (change, { replace = false } = {}) => {
    const location = latest()
    const now = location.pathname === pathname ? readView(list, new URLSearchParams(location.search)) : view
    const search = viewAddress(list, { ...now, page: 1, ...change(now) })
    if (search !== viewAddress(list, now)) void navigate({ search }, { replace, preventScrollReset: true })
  }

  return {
    list,
    view,
    page,
    selection,
    addressOf: (change) => ({ search: viewAddress(list, { ...view, page: 1, ...change }) }),
    go,
  }
}
