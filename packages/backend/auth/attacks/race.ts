import type { PoolClient } from 'pg'
import { expect, vi } from 'vitest'

import type { DatabasePools } from '#backend/database/pool.ts'

/** The statements of the open transaction before the attack starts, and while the attack waits for its lock. */
export type ConcurrentChange = Record<'change' | 'finish', (client: PoolClient) => Promise<unknown>>

/** Runs `change` in an open transaction, starts `attack`, waits until it is blocked by that transaction, then finishes and commits. */
export async function raceIn<Answer>(
  { owner }: DatabasePools,
  attack: () => Promise<Answer>,
  { change, finish }: ConcurrentChange,
): Promise<Answer> {
  const client = await owner.connect()
  try {
    await client.query('begin')
    await change(client)
    const attacked = attack()
    await vi.waitFor(async () => {
      const { rowCount } = await owner.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      expect(rowCount).toBe(1)
    }, 10_000)
    await finish(client)
    await client.query('commit')
    return await attacked
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
