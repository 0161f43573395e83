import { escapeLiteral, type PoolClient } from 'pg'

import type { Statement } from '#backend/database/pipeline.ts'
import type { Database } from '#backend/database/pool.ts'
import { inTransaction } from '#backend/database/transaction.ts'

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
export function asCaller<T>(
  database: Database,
  caller: Caller,
  work: (client: PoolClient) => Promise<T>,
  options: CallerOptions = {},
): Promise<T> {
  return inTransaction(database.api, work, [becomeCaller(caller, options)])
}

/** The statement that makes the running transaction the caller's. */
export function becomeCaller(
  caller: Caller,
  { isReadOnly = false, settings = {} }: CallerOptions = {},
): Statement {
  // The role comes last: a setting that only `authenticator` may change is then still within its rights.
  const all: Record<string, string> = {
    ...(isReadOnly && { transaction_read_only: 'on' }),
    ...settings,
    'request.jwt.claims': JSON.stringify({ ...caller.claims, role: caller.role }),
    role: caller.role,
  }
  return { text: settingAll(Object.keys(all)), values: Object.values(all) }
}

/** There are as many of these as kinds of request; written anew for each, they would cost as much as the rest of one. */
const texts = new Map<string, string>()

function settingAll(names: string[]): string {
  const key = names.join()
  const known = texts.get(key)
  if (known) return known
  const calls = names.map((name, index) => `set_config(${escapeLiteral(name)}, $${index + 1}, true)`)
  const text = `select ${calls.join(', ')}`
  texts.set(key, text)
  return text
}
