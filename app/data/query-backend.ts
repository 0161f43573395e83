import type { ShopClient } from '#database'
import { loadBackend } from './backend.ts'

interface QueryResult {
  data: unknown
  error: { message: string } | null
  count: number | null
  /** 0 when no response arrived. */
  status?: number
}

interface Query extends PromiseLike<QueryResult> {
  retry: (enabled: boolean) => PromiseLike<QueryResult>
}

/** The data of a successful query. */
export type QueryData<Q extends PromiseLike<QueryResult>> = Extract<Awaited<Q>, { error: null }>['data']

/** Queries the backend as the current user. Throws an Error with a sentence for the reader; its `cause` is the backend's error. */
export async function queryBackend<Q extends Query>(
  build: (backend: ShopClient) => Q,
): Promise<QueryData<Q>> {
  const { data } = await queryWithCount(build)
  return data
}

/** Like `queryBackend`, with the total number of rows for queries that request a count. */
export async function queryWithCount<Q extends Query>(
  build: (backend: ShopClient) => Q,
): Promise<{ data: QueryData<Q>; count: number }> {
  const backend = await loadBackend()
  // TanStack Query retries by itself. The client's own retries would add seven seconds before an error shows.
  const { data, error, count, status } = await build(backend).retry(false)
  if (error) throw new Error(await sentenceFor(error, status), { cause: error })
  // `retry` loses the type that the client inferred.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { data: data as QueryData<Q>, count: count ?? 0 }
}

/** Loads the sentences on the first error, to keep them out of the storefront's bundles. */
async function sentenceFor(failure: { message: string }, status: number | undefined): Promise<string> {
  // The browser's message about a broken connection means nothing to a reader.
  if (status === 0 || !failure.message) return 'We couldn’t reach the shop. Check your connection.'
  const sentences = await import('./error-sentence.ts').catch(() => null)
  return sentences?.errorSentence(failure) ?? failure.message
}

/** Like `queryBackend`, for calls that return nothing. */
export async function callBackend(build: (backend: ShopClient) => Query): Promise<void> {
  await queryWithCount(build)
}

const BATCH = 1000

/** Returns every row of a query, in batches: the API caps a single response, which would make sums wrong. */
export async function queryAllRows<Row>(
  build: (backend: ShopClient, range: { first: number; last: number }) => RowsQuery<Row>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const range = { first: rows.length, last: rows.length + BATCH - 1 }
    // Only a full batch can have another one after it.
    // oxlint-disable-next-line no-await-in-loop
    const batch = await queryBackend((backend) => build(backend, range))
    rows.push(...batch)
    if (batch.length < BATCH) return rows
  }
}

export interface RowsQuery<Row> extends PromiseLike<RowsResult<Row>> {
  retry: (enabled: boolean) => PromiseLike<RowsResult<Row>>
}

type RowsResult<Row> =
  | { data: Row[]; error: null; count: number | null; status: number }
  | { data: null; error: { message: string }; count: null; status: number }
