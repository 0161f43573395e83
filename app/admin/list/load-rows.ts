import { queryWithCount, queryAllRows } from '#app/data/query-backend.ts'
import { backendError } from '#app/data/backend-error.ts'
import { sortQuery, ROWS_ON_A_PAGE, type List, type ListView } from './list.ts'

export interface RowsPage<Row> {
  rows: Row[]
  /** Of all pages. */
  count: number
}

export async function loadPage<Row>(
  list: List<Row>,
  view: ListView,
  length = ROWS_ON_A_PAGE,
): Promise<RowsPage<Row>> {
  const first = (view.page - 1) * length
  try {
    const { data: rows, count } = await queryWithCount((backend) =>
      sortQuery(list.buildQuery(backend, view), view.sort).range(first, first + length - 1),
    )
    return { rows, count }
  } catch (error) {
    if (!isBeyondTheEnd(error)) throw error
    return { rows: [], count: await countRows(list, view) }
  }
}

/** Returns every row of the view, over all its pages. */
export function loadAllRows<Row>(list: List<Row>, view: ListView): Promise<Row[]> {
  return queryAllRows<Row>((backend, { first, last }) =>
    sortQuery(list.buildQuery(backend, { ...view, isComplete: true }), view.sort).range(first, last),
  )
}

/** More ids would make the URL too long. */
const IDS_PER_REQUEST = 100

/** Splits ids into lists that a URL can name. */
export function urlBatches(ids: string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / IDS_PER_REQUEST) }, (_, index) =>
    ids.slice(index * IDS_PER_REQUEST, (index + 1) * IDS_PER_REQUEST),
  )
}

/** Returns the rows with these ids, whichever page they are on. */
export async function loadRows<Row>(list: List<Row>, view: ListView, ids: string[]): Promise<Row[]> {
  const results = await Promise.all(
    urlBatches(ids).map((batch) =>
      queryAllRows<Row>((backend, { first, last }) =>
        sortQuery(list.buildQuery(backend, { ...view, isComplete: true }).in('id', batch), view.sort).range(
          first,
          last,
        ),
      ),
    ),
  )
  return results.flat()
}

/** PostgREST rejects a range that starts after the last row. */
function isBeyondTheEnd(error: unknown): boolean {
  return backendError(error)?.code === 'PGRST103'
}

export async function countRows<Row>(list: List<Row>, view: ListView): Promise<number> {
  const { count } = await loadPage(list, { ...view, page: 1 }, 1)
  return count
}
