import { queryWithCount, queryAllRows } from '#app/session/query-backend.ts'
import { isBackendError } from '#app/session/backend-error.ts'
import { sortQuery, ROWS_ON_A_PAGE, type List, type ListView } from './list.ts'

export interface RowsPage<Row> {
  rows: Row[]
  /** Of all pages together. */
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
      sortQuery(list.ask(backend, view), view.sort).range(first, first + length - 1),
    )
    return { rows, count }
  } catch (error) {
    if (!isBeyondTheEnd(error)) throw error
    return { rows: [], count: await countRows(list, view) }
  }
}

/** Every row of the view, over all its pages. */
export function loadAllRows<Row>(list: List<Row>, view: ListView): Promise<Row[]> {
  return queryAllRows<Row>((backend, { first, last }) =>
    sortQuery(list.ask(backend, view), view.sort).range(first, last),
  )
}

/** So many ids fit into an address. */
const IDS_AT_ONCE = 100

/** These rows of the list, whichever page they stand on. */
export async function loadRows<Row>(list: List<Row>, view: ListView, ids: string[]): Promise<Row[]> {
  const batches = Array.from({ length: Math.ceil(ids.length / IDS_AT_ONCE) }, (_, index) =>
    ids.slice(index * IDS_AT_ONCE, (index + 1) * IDS_AT_ONCE),
  )
  const answers = await Promise.all(
    batches.map((batch) =>
      queryAllRows<Row>((backend, { first, last }) =>
        sortQuery(list.ask(backend, view).in('id', batch), view.sort).range(first, last),
      ),
    ),
  )
  return answers.flat()
}

/** The API refuses a range that begins after the last row. */
function isBeyondTheEnd(error: unknown): boolean {
  return error instanceof Error && isBackendError(error.cause) && error.cause.code === 'PGRST103'
}

export async function countRows<Row>(list: List<Row>, view: ListView): Promise<number> {
  const { count } = await loadPage(list, { ...view, page: 1 }, 1)
  return count
}
