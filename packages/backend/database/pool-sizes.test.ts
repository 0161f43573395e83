import { afterAll, beforeAll, expect, it } from 'vitest'
import { bareDatabase, type TestDatabase } from '#backend/testing/database.ts'
import { poolSizesFor } from './pool-sizes.ts'
import { postgresOptions } from './share-database.ts'

let db: TestDatabase
let limit: number
beforeAll(async () => {
  db = await bareDatabase()
  const { rows } = await db.database.owner.query<{ limit: number }>(
    `select current_setting('max_connections')::int as limit`,
  )
  limit = rows[0]?.limit ?? 0
})
afterAll(() => db.close())

it('divides the connections of a server so that two versions with all their processes stay below its limit', async () => {
  for (const processes of [1, 2, 3]) {
    // oxlint-disable-next-line no-await-in-loop -- each number of processes
    const { ownerConnections, apiConnections } = await poolSizesFor(db.url, { processes })
    expect(2 * processes * (ownerConnections + apiConnections + 6)).toBeLessThanOrEqual(limit - 3)
    expect(ownerConnections).toBeGreaterThanOrEqual(5)
    expect(apiConnections).toBeGreaterThanOrEqual(2)
  }
})

it.for([
  [1, 30],
  [1, 60],
  [2, 30],
  [3, 100],
] as const)(
  'the embedded database allows two versions of %i processes with full pools of %i connections',
  ([processes, connections]) => {
    const { settings } = postgresOptions({ processes, connections })

    // PostgreSQL's default is 100. Ten are reserved for commands, three for superusers.
    const allowed = Number(settings?.max_connections ?? 100) - 13
    expect(2 * processes * (connections + 6)).toBeLessThanOrEqual(allowed)
  },
)

it('refuses more processes than a server has connections for, and says how many it allows', async () => {
  const most = Math.floor((limit - 3 - 10) / 2 / 13)
  await expect(poolSizesFor(db.url, { processes: most })).resolves.toBeTruthy()
  await expect(poolSizesFor(db.url, { processes: most + 1 })).rejects.toThrow(
    `too few for ${most + 1} processes: set PROCESSES to at most ${most}, or raise max_connections`,
  )
})
