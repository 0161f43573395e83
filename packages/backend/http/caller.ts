import { escapeLiteral, type PoolClient } from 'pg'

import type { Statement } from '#backend/database/pipeline.ts'
import type { DatabasePools } from '#backend/database/pool.ts'
import { inTransaction } from '#backend/database/transaction.ts'
import { requestSetting } from '#backend/http/request-context.ts'

/** Who makes the request. Only the gateway creates it, from the API key and the access token. */
export interface Caller {
  role: 'anon' | 'authenticated' | 'service_role'
  claims: Record<string, unknown>
  userId: string | null
  /** The verified access token; null when only a key was sent. */
  token: string | null
}

export const visitor: Caller = { role: 'anon', claims: { role: 'anon' }, userId: null, token: null }

export interface CallerOptions {
  isReadOnly?: boolean
  /** Further settings of the transaction, for instance `storage.operation`. */
  settings?: Record<string, string>
}

/**
 * Runs `work` in a transaction as the caller. Role and claims are set per transaction, so they cannot leak to the connection's next
 * request. Commits when `work` returns, rolls back when it throws.
 */
// oxlint-disable-next-line max-params -- `work` would get lost in an options object
export function asCaller<T>(
  database: DatabasePools,
  caller: Caller,
  work: (client: PoolClient) => Promise<T>,
  options: CallerOptions = {},
): Promise<T> {
  return inTransaction(database.api, work, [becomeCaller(caller, options)])
}

/** Returns the statement that sets the caller's role and claims in the running transaction. */
export function becomeCaller(
  caller: Caller,
  { isReadOnly = false, settings = {} }: CallerOptions = {},
): Statement {
  // Set the role last: before that, `authenticator` may still change settings that the role may not.
  const all: Record<string, string> = {
    ...(isReadOnly && { transaction_read_only: 'on' }),
    ...requestSetting(),
    ...settings,
    'request.jwt.claims': JSON.stringify({ ...caller.claims, role: caller.role }),
    role: caller.role,
  }
  return { text: setConfigText(Object.keys(all)), values: Object.values(all) }
}

/** By setting names. Building the text for each request would cost as much as the rest of the statement. */
const statementCache = new Map<string, string>()

function setConfigText(names: string[]): string {
  const key = names.join()
  const cached = statementCache.get(key)
  if (cached) return cached
  const calls = names.map((name, index) => `set_config(${escapeLiteral(name)}, $${index + 1}, true)`)
  const text = `select ${calls.join(', ')}`
  statementCache.set(key, text)
  return text
}
