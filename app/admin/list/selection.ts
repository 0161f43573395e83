import { useState } from 'react'
import type { List, ListView } from './list.ts'
import { loadAllRows, loadRows, type RowsPage } from './load-rows.ts'

/** The selected rows, on any page, or all rows that match. */
export interface Selection<Row> {
  count: number
  /** All rows that match, on every page. */
  isAll: boolean
  has: (id: string) => boolean
  toggle: (id: string) => void
  /** Selects every row of the page, or deselects them when all are selected. */
  togglePage: () => void
  /** `mixed` when only some rows of the page are selected. */
  pageState: boolean | 'mixed'
  selectAll: () => void
  clear: () => void
  /** Loads the selected rows in their current state. */
  rows: () => Promise<Row[]>
}

interface SelectionState {
  /** The serialized search and filters; a different value discards the selection. */
  criteria: string
  ids: ReadonlySet<string>
  isAll: boolean
}

const NOTHING: ReadonlySet<string> = new Set()

export function useSelection<Row>(
  list: List<Row>,
  view: ListView,
  page: RowsPage<Row> | undefined,
): Selection<Row> {
  const criteria = JSON.stringify([view.search, view.filters])
  const [state, setState] = useState<SelectionState>({ criteria, ids: NOTHING, isAll: false })
  const selected = state.criteria === criteria ? state : { criteria, ids: NOTHING, isAll: false }
  const onPage = (page?.rows ?? []).map(list.idOf)
  const has = (id: string) => selected.isAll || selected.ids.has(id)
  const select = (ids: Iterable<string>) => setState({ criteria, ids: new Set(ids), isAll: false })
  const selectedOnPage = onPage.filter(has).length
  const isPageSelected = onPage.length > 0 && selectedOnPage === onPage.length

  return {
    count: selected.isAll ? (page?.count ?? 0) : selected.ids.size,
    isAll: selected.isAll,
    has,
    toggle(id) {
      const before = selected.isAll ? onPage : [...selected.ids]
      select(before.includes(id) ? before.filter((other) => other !== id) : [...before, id])
    },
    togglePage() {
      const onOtherPages = [...selected.ids].filter((id) => !onPage.includes(id))
      select(isPageSelected ? onOtherPages : [...onOtherPages, ...onPage])
    },
    pageState: isPageSelected || (selectedOnPage > 0 && 'mixed'),
    selectAll: () => setState({ criteria, ids: NOTHING, isAll: true }),
    // Keeps rows that were selected after this render, for example while a bulk action was running.
    clear: () =>
      setState((now) =>
        now === state
          ? { criteria, ids: NOTHING, isAll: false }
          : { ...now, ids: new Set([...now.ids].filter((id) => !state.ids.has(id))) },
      ),
    rows: () => (selected.isAll ? loadAllRows(list, view) : loadRows(list, view, [...selected.ids])),
  }
}
