import type { ShopClient } from '#database'
import { loadBackend } from './backend.ts'

interface Answer {
  data: unknown
  error: { message: string } | null
  count: number | null
  /** 0: nothing came back. */
  status?: number
}

interface Call extends PromiseLike<Answer> {
  retry: (enabled: boolean) => PromiseLike<Answer>
}

/** What a call gives when it is not refused. */
export type QueryData<Asked extends PromiseLike<Answer>> = Extract<Awaited<Asked>, { error: null }>['data']

/** Asks the backend as the current user; throws a refusal, so that a query or a change fails with it. */
export async function queryBackend<Asked extends Call>(
  ask: (backend: ShopClient) => Asked,
): Promise<QueryData<Asked>> {
  const { data } = await queryWithCount(ask)
  return data
}

/** The same with how many rows there are in all, for calls that ask for a count. */
export async function queryWithCount<Asked extends Call>(
  ask: (backend: ShopClient) => Asked,
): Promise<{ data: QueryData<Asked>; count: number }> {
  const backend = await loadBackend()
  // Queries ask a second time by themselves. The client's own seven seconds of trying would come on top, and show
  // a skeleton where it should long have been said that something is wrong.
  const { data, error, count, status } = await ask(backend).retry(false)
  if (error) throw new Error(await sentenceOf(error, status), { cause: error })
  // The client types the answer by the call; only `retry` loses it here.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { data: data as QueryData<Asked>, count: count ?? 0 }
}

/** The sentences load on the first refusal, so that pages of the shop do not carry them. */
async function sentenceOf(refusal: { message: string }, status: number | undefined): Promise<string> {
  // A browser's words about a broken connection help no reader.
  if (status === 0 || !refusal.message) return 'The shop did not answer. Check your connection.'
  const sentences = await import('./error-sentence.ts').catch(() => null)
  return sentences?.errorSentence(refusal) ?? refusal.message
}

/** The same for calls that give nothing. */
export async function callBackend(ask: (backend: ShopClient) => Call): Promise<void> {
  await queryWithCount(ask)
}

const BATCH = 1000

/** Every row of a list, fetched in batches: the API caps a single answer, and half a sum is a wrong sum. */
export async function queryAllRows<Row>(
  ask: (backend: ShopClient, range: { first: number; last: number }) => RowsQuery<Row>,
): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const range = { first: rows.length, last: rows.length + BATCH - 1 }
    // One batch tells whether there is a next.
    // oxlint-disable-next-line no-await-in-loop
    const batch = await queryBackend((backend) => ask(backend, range))
    rows.push(...batch)
    if (batch.length < BATCH) return rows
  }
}

/** A call that gives rows. */
export interface RowsQuery<Row> extends PromiseLike<RowsResult<Row>> {
  retry: (enabled: boolean) => PromiseLike<RowsResult<Row>>
}

type RowsResult<Row> =
  | { data: Row[]; error: null; count: number | null; status: number }
  | { data: null; error: { message: string }; count: null; status: number }
