import type { SupabaseClient } from '@supabase/supabase-js'
import { loadBackend } from '#app/session/backend.ts'

interface Answer {
  data: unknown
  error: { message: string } | null
}

/**
 * Asks the backend as the signed-in admin; a refusal is thrown, so that a query or a change fails as one.
 * `Rows` states the columns that the call itself selects.
 */
export async function askBackend<Rows>(ask: (backend: SupabaseClient) => PromiseLike<Answer>): Promise<Rows> {
  const { data, error } = await ask(await loadBackend())
  if (error) throw new Error(error.message, { cause: error })
  // The database's own constraints vouch for the shape.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return data as Rows
}

/** The same for what answers with nothing. */
export async function tellBackend(ask: (backend: SupabaseClient) => PromiseLike<Answer>): Promise<void> {
  await askBackend<null>(ask)
}

const BATCH = 1000

/** Every row of a list, fetched in batches: the API caps a single answer, and half a sum is a wrong sum. */
export async function askForAll<Row>(
  ask: (backend: SupabaseClient, range: { first: number; last: number }) => PromiseLike<Answer>,
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
