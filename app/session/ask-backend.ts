import type { SupabaseClient } from '@supabase/supabase-js'
import { loadBackend } from './backend.ts'

interface Answer {
  data: unknown
  error: { message: string } | null
  count: number | null
  /** 0: nothing came back. */
  status?: number
}

interface Call {
  retry(enabled: boolean): PromiseLike<Answer>
}

type Ask = (backend: SupabaseClient) => Call

/**
 * Asks the backend as whoever is signed in; a refusal is thrown, so that a query or a change fails as one.
 * `Rows` states the columns that the call itself selects.
 */
export async function askBackend<Rows>(ask: Ask): Promise<Rows> {
  const { data } = await askCounting(ask)
  // The database's own constraints vouch for the shape.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return data as Rows
}

/** The same with how many rows there are in all, for calls that ask for a count. */
export async function askCounting(ask: Ask): Promise<{ data: unknown; count: number }> {
  const backend = await loadBackend()
  // Queries ask a second time by themselves. The client's own seven seconds of trying would come on top, and show
  // a skeleton where it should long have been said that something is wrong.
  const { data, error, count, status } = await ask(backend).retry(false)
  if (error) throw new Error(await sentenceOf(error, status), { cause: error })
  return { data, count: count ?? 0 }
}

/** The sentences load on the first refusal, so that pages of the shop do not carry them. */
async function sentenceOf(refusal: { message: string }, status: number | undefined): Promise<string> {
  // A browser's words about a broken connection help no reader.
  if (status === 0 || !refusal.message) return 'The shop did not answer. Check your connection.'
  const sentences = await import('./refusal-sentence.ts').catch(() => null)
  return sentences?.refusalSentence(refusal) ?? refusal.message
}

/** The same for what answers with nothing. */
export async function tellBackend(ask: Ask): Promise<void> {
  await askCounting(ask)
}

const BATCH = 1000

/** Every row of a list, fetched in batches: the API caps a single answer, and half a sum is a wrong sum. */
export async function askForAll<Row>(
  ask: (backend: SupabaseClient, range: { first: number; last: number }) => Call,
): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const range = { first: rows.length, last: rows.length + BATCH - 1 }
    // One batch tells whether there is a next.
    // oxlint-disable-next-line no-await-in-loop
    const batch = await askBackend<Row[]>((backend) => ask(backend, range))
    rows.push(...batch)
    if (batch.length < BATCH) return rows
  }
}
