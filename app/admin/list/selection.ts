import { useState } from 'react'
import type { List, ListView } from './list.ts'
import { loadAllRows, loadRows, type RowsPage } from './load-rows.ts'

/** The rows somebody has ticked, on any page, or all that match. */
export interface Selection<Row> {
  count: number
  /** All that match, on every page. */
  isAll: boolean
  has: (id: string) => boolean
  toggle: (id: string) => void
  /** Ticks every row of the page, or none of them when all are ticked. */
  togglePage: () => void
  /** Whether the page is ticked: `mixed` when some of its rows are. */
  pageState: boolean | 'mixed'
  selectAll: () => void
  clear: () => void
  /** Fetches what is selected, as it is now. */
  rows: () => Promise<Row[]>
}

interface Chosen {
  /** What was searched and filtered for when the rows were ticked; another list begins with none. */
  of: string
  ids: ReadonlySet<string>
  isAll: boolean
}

const NOTHING: ReadonlySet<string> = new Set()

export function useSelection<Row>(
  list: List<Row>,
  view: ListView,
  page: RowsPage<Row> | undefined,
): Selection<Row> {
  const of = JSON.stringify([view.search, view.filters])
  const [kept, keep] = useState<Chosen>({ of, ids: NOTHING, isAll: false })
  const chosen = kept.of === of ? kept : { of, ids: NOTHING, isAll: false }
  const onPage = (page?.rows ?? []).map(list.idOf)
  const has = (id: string) => chosen.isAll || chosen.ids.has(id)
  const choose = (ids: Iterable<string>) => keep({ of, ids: new Set(ids), isAll: false })
  const ticked = onPage.filter(has).length
  const isPageTicked = onPage.length > 0 && ticked === onPage.length

  return {
    count: chosen.isAll ? (page?.count ?? 0) : chosen.ids.size,
    isAll: chosen.isAll,
    has,
    toggle(id) {
      const before = chosen.isAll ? onPage : [...chosen.ids]
      choose(before.includes(id) ? before.filter((other) => other !== id) : [...before, id])
    },
    togglePage() {
      const elsewhere = [...chosen.ids].filter((id) => !onPage.includes(id))
      choose(isPageTicked ? elsewhere : [...elsewhere, ...onPage])
    },
    pageState: isPageTicked || (ticked > 0 && 'mixed'),
    selectAll: () => keep({ of, ids: NOTHING, isAll: true }),
    // What has been ticked since, while an answer was on its way, say, stays.
    clear: () =>
      keep((now) =>
        now === kept
          ? { of, ids: NOTHING, isAll: false }
          : { ...now, ids: new Set([...now.ids].filter((id) => !kept.ids.has(id))) },
      ),
    rows: () => (chosen.isAll ? loadAllRows(list, view) : loadRows(list, view, [...chosen.ids])),
  }
}
