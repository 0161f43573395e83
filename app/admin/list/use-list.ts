import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { criteriaKey, readView, viewAddress, type List, type ListView } from './list.ts'
import { loadPage, type RowsPage } from './load-rows.ts'
import { useSelection, type Selection } from './selection.ts'
import { useLatestLocation } from '#app/ui/use-latest-location.ts'

/** The state of a list in this tab. */
export interface ListState<Row> {
  definition: List<Row>
  view: ListView
  page: UseQueryResult<RowsPage<Row>>
  selection: Selection<Row>
  /** Returns the address of a changed view, starting on its first page. */
  addressOf: (change: Partial<ListView>) => { pathname: string; search: string }
  /** Changes the latest requested view, even if it is not rendered yet. */
  go: (change: ViewChange, options?: { replace?: boolean }) => void
}

export type ViewChange = (now: ListView) => Partial<ListView>

/** Keeps the list's state in the URL, so that it survives a reload, Back and sharing. */
export function useList<Row>(definition: List<Row>): ListState<Row> {
  const [address] = useSearchParams()
  const view = readView(definition, address)
  const criteria = criteriaKey(view)
  const page = useQuery({
    queryKey: [definition.name, 'page', view],
    queryFn: async () => ({ ...(await loadPage(definition, view)), criteria }),
    placeholderData: keepPreviousData,
  })
  const isOfView = page.data?.criteria === criteria
  const selection = useSelection(definition, view, isOfView ? page.data : undefined)
  const navigate = useNavigate()
  const latest = useLatestLocation()
  const { pathname } = useLocation()

  const go: ListState<Row>['go'] = (change, { replace = false } = {}) => {
    const location = latest()
    const now =
      location.pathname === pathname ? readView(definition, new URLSearchParams(location.search)) : view
    const search = viewAddress(definition, { ...now, page: 1, ...change(now) })
    if (search !== viewAddress(definition, now))
      void navigate({ pathname, search }, { replace, preventScrollReset: true })
  }

  return {
    definition,
    view,
    page,
    selection,
    addressOf: (change) => ({ pathname, search: viewAddress(definition, { ...view, page: 1, ...change }) }),
    go,
  }
}
