import { Client } from 'pg'
import { z } from 'zod'
import { DatabaseProblem } from './database-problem.ts'
import { selectRow } from './select-rows.ts'

interface PoolSizes {
  ownerConnections: number
  apiConnections: number
}

/** What one process has when connections are plentiful. */
const FULL: PoolSizes = { ownerConnections: 10, apiConnections: 20 }
/** Two jobs and the job queue's own two connections. */
const LEAST: PoolSizes = { ownerConnections: 4, apiConnections: 2 }
/** Each process listens to channels on connections outside its pools. */
const LISTENING = 3
/** For the supervisor, commands and backups. */
const OTHERS = 10
/** During an update, two versions run side by side. */
const VERSIONS = 2

/** PostgreSQL's default, of which `dividePools` does not count those. */
const RESERVED_FOR_SUPERUSERS = 3

/** Returns the `max_connections` of a server that has full pools in every process. */
export function maxConnectionsFor(processes: number): number {
  return VERSIONS * processes * (sum(FULL) + LISTENING) + OTHERS + RESERVED_FOR_SUPERUSERS
}

const limitRow = z.object({ connections: z.number() })

/** Returns pool sizes with which all processes together stay below the server's limit. Throws when that is too low. */
export async function poolSizesFor(url: string, processes: number): Promise<PoolSizes> {
  if (processes === 1) return FULL
  const client = new Client({ connectionString: url })
  await client.connect()
  const { connections } = await selectRow(client, limitRow, [
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as connections`,
  ]).finally(() => client.end())
  return dividePools(connections, processes)
}

function dividePools(connections: number, processes: number): PoolSizes {
  const each = Math.floor((connections - OTHERS) / (VERSIONS * processes)) - LISTENING
  if (each < sum(LEAST)) {
    const enough = Math.floor((connections - OTHERS) / VERSIONS / (sum(LEAST) + LISTENING))
    throw new DatabaseProblem(
      `the database allows ${connections} connections, too few for ${processes} processes: set PROCESSES to at most ${Math.max(enough, 1)}, or raise max_connections to ${maxConnectionsFor(processes)}`,
    )
  }
  if (each >= sum(FULL)) return FULL
  const ownerConnections = Math.max(LEAST.ownerConnections, Math.round(each / 3))
  return { ownerConnections, apiConnections: each - ownerConnections }
}

function sum({ ownerConnections, apiConnections }: PoolSizes): number {
  return ownerConnections + apiConnections
}
