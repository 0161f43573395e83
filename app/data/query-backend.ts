import type { FunctionResults } from '#domain/function-results.ts'
import type { BrowserClient } from '#database'
import { loadBackend } from './backend.ts'

/** What the client's tables, functions, sign-in service and storage return. */
interface Result {
  data?: unknown
  error: { message: string; name?: string; code?: unknown; status?: unknown; context?: unknown } | null
  count?: number | null
  /** 0 when no response arrived. */
  status?: number
}

export interface BackendCall extends PromiseLike<Result> {
  retry?: (enabled: boolean) => PromiseLike<Result>
}

/** The data of a successful call. */
export type CallData<C extends PromiseLike<Result>> =
  Extract<Awaited<C>, { error: null }> extends { data: infer Data } ? Data : undefined

/** Calls the backend as the current user. Throws an Error with a sentence for the reader; its `cause` is the backend's error. */
export async function queryBackend<C extends BackendCall>(
  build: (backend: BrowserClient) => C,
): Promise<CallData<C>> {
  const { data } = await queryWithCount(build)
  return data
}

/** Like `queryBackend`, with the total number of rows for queries that request a count. */
export async function queryWithCount<C extends BackendCall>(
  build: (backend: BrowserClient) => C,
): Promise<{ data: CallData<C>; count: number }> {
  const call = build(await loadBackend())
  // TanStack Query retries by itself. The client's own retries would add seven seconds before an error shows.
  const { data, error, count, status } = await (call.retry?.(false) ?? call)
  if (error) throw await errorFrom(error, status)
  // `retry` loses the type that the client inferred.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { data: data as CallData<C>, count: count ?? 0 }
}

export interface RowsQuery<Row> extends PromiseLike<RowsResult<Row>> {
  retry: (enabled: boolean) => PromiseLike<RowsResult<Row>>
}

type RowsResult<Row> =
  | { data: Row[]; error: null; count: number | null }
  | { data: null; error: { message: string }; count: null }

/** The API's maximum per response. */
const BATCH = 1000

/** Returns every row of a query, in batches. */
export async function queryAllRows<Row>(
  build: (backend: BrowserClient, range: { first: number; last: number }) => RowsQuery<Row>,
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

/** Calls a server function. */
export async function callFunction<Name extends keyof FunctionResults>(
  name: Name,
  body: object = {},
): Promise<FunctionResults[Name]> {
  const result = await queryBackend(({ functions }) =>
    functions.invoke<FunctionResults[Name]>(name, { body }),
  )
  if (result === null) throw new NoResponseError()
  return result
}

/** No response arrived. The browser's own message about that means nothing to a reader. */
export class NoResponseError extends Error {
  constructor(cause?: unknown) {
    super('We couldn’t reach the shop. Check your connection.', { cause })
  }
}

/** The shop's own errors have a code. A page of a proxy has none, and the shop may have handled the request. */
function isUnanswered({ message, name, code }: NonNullable<Result['error']>, status: unknown): boolean {
  const isFromProxy = !code && /^50[234]$/.test(String(status))
  return status === 0 || isFromProxy || !message || name === 'FunctionsFetchError'
}

/** Loads the sentences on the first error, to keep them out of the storefront's bundles. */
async function errorFrom(failure: NonNullable<Result['error']>, status: unknown): Promise<Error> {
  if (isUnanswered(failure, status ?? failure.status)) return new NoResponseError(failure)
  const sentences = await import('./error-sentence.ts').catch(() => null)
  const sentence = (await sentences?.errorSentence(failure)) ?? failure.message
  return new Error(sentence, { cause: failure })
}
