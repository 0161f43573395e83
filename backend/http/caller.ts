import type { PoolClient } from 'pg'

import { runPipeline, type Statement } from '#backend/database/pipeline.ts'
import type { Database } from '#backend/database/pool.ts'

/** Who is asking: decided by the gateway from the key and the token, and by nothing else. */
export interface Caller {
  role: 'anon' | 'authenticated' | 'service_role'
  claims: Record<string, unknown>
  userId: string | null
  /** The verified access token, or null when only a key was sent. */
  token: string | null
}

export const visitor: Caller = { role: 'anon', claims: { role: 'anon' }, userId: null, token: null }

export interface CallerOptions {
  isReadOnly?: boolean
  /** More settings that live as long as the transaction, for instance `storage.operation`. */
  settings?: Record<string, string>
}

/**
 * One transaction as the caller: role and claims are set inside it and end with it, so nothing of one request can
 * reach the next on the same connection. Commits when `work` returns, rolls back when it throws.
 */
// oxlint-disable-next-line max-params -- who, where, what: an options object would bury the work between its keys
export async function asCaller<T>(
  database: Database,
  caller: Caller,
  work: (client: PoolClient) => Promise<T>,
  options: CallerOptions = {},
): Promise<T> {
  const client = await database.api.connect()
  let broken: Error | undefined
  try {
    await runPipeline(client, [{ text: 'begin', values: [] }, becomeCaller(caller, options)])
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError
    })
    throw error
  } finally {
    client.release(broken)
  }
}

/** The statement that makes the running transaction the caller's. */
export function becomeCaller(
  caller: Caller,
  { isReadOnly = false, settings = {} }: CallerOptions = {},
): Statement {
  // The role comes last: a setting that only `authenticator` may change is then still within its rights.
  const entries = [
    ...(isReadOnly ? [['transaction_read_only', 'on'] as const] : []),
    ...Object.entries(settings),
    ['request.jwt.claims', JSON.stringify({ ...caller.claims, role: caller.role })] as const,
    ['role', caller.role] as const,
  ]
  const calls = entries.map((_, index) => `set_config($${index * 2 + 1}, $${index * 2 + 2}, true)`)
  return { text: `select ${calls.join(', ')}`, values: entries.flat() }
}
