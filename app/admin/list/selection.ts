import { useState } from 'react'
import { criteriaKey, type List, type ListView } from './list.ts'
import { loadAllRows, loadRows, type RowsPage } from './load-rows.ts'

/** The selected rows, on any page, or all rows that match. */
export interface Selection<Row> {
  /** False while the rows of the view before are still shown, which must not be selected. */
  isReady: boolean
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
  /** Returns the selected rows as the user saw them, but loads all that match. */
  seenRows: () => Promise<Row[]>
}

interface SelectionState<Row> {
  /** The serialized search and filters; a different value discards the selection. */
  criteria: string
  /** By id, as they were when they were selected. */
  rows: ReadonlyMap<string, Row>
  isAll: boolean
}

const NOTHING: ReadonlyMap<string, never> = new Map<string, never>()

/** `page` is undefined until the rows of the view have loaded. */
export function useSelection<Row>(
  list: List<Row>,
  view: ListView,
  page: RowsPage<Row> | undefined,
): Selection<Row> {
  const criteria = criteriaKey(view)
  const [state, setState] = useState<SelectionState<Row>>({ criteria, rows: NOTHING, isAll: false })
  const selected = state.criteria === criteria ? state : { criteria, rows: NOTHING, isAll: false }
  const onPage = new Map((page?.rows ?? []).map((row) => [list.idOf(row), row]))
  const has = (id: string) => selected.isAll || selected.rows.has(id)
  const select = (rows: Iterable<[string, Row]>) => setState({ criteria, rows: new Map(rows), isAll: false })
  const selectedOnPage = [...onPage.keys()].filter(has).length
  const isPageSelected = onPage.size > 0 && selectedOnPage === onPage.size

  return {
    isReady: page !== undefined,
    count: selected.isAll ? (page?.count ?? 0) : selected.rows.size,
    isAll: selected.isAll,
    has,
    toggle(id) {
      const rows = new Map(selected.isAll ? onPage : selected.rows)
      const row = onPage.get(id)
      if (!rows.delete(id) && row) rows.set(id, row)
      select(rows)
    },
    togglePage() {
      const onOtherPages = [...selected.rows].filter(([id]) => !onPage.has(id))
      select(isPageSelected ? onOtherPages : [...onOtherPages, ...onPage])
    },
    pageState: isPageSelected || (selectedOnPage > 0 && 'mixed'),
    selectAll: () => setState({ criteria, rows: NOTHING, isAll: true }),
    // Keeps rows that were selected after this render, for example while a bulk action was running.
    clear: () =>
      setState((now) =>
        now === state
          ? { criteria, rows: NOTHING, isAll: false }
          : { ...now, rows: new Map([...now.rows].filter(([id]) => !state.rows.has(id))) },
      ),
    rows: () => (selected.isAll ? loadAllRows(list, view) : loadRows(list, view, [...selected.rows.keys()])),
    seenRows: async () =>
      selected.isAll ? loadAllRows(list, view) : [...selected.rows].map(([id, row]) => onPage.get(id) ?? row),
  }
}
