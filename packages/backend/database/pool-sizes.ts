import { DatabaseProblem } from './database-problem.ts'
import { asNumber, selectValue } from './select-rows.ts'
import { withConnection } from './upgrade/connection.ts'

interface PoolSizes {
  ownerConnections: number
  apiConnections: number
}

/** What one process has when connections are plentiful. */
const DEFAULT_CONNECTIONS = 30
/** The job queue and uploads keep three; two are for work. */
const SMALLEST: PoolSizes = { ownerConnections: 5, apiConnections: 2 }
/** Of each process, outside its pools: three that listen, the heartbeat, and one each for `runInOneProcess` of backups and alerts. */
export const UNPOOLED_CONNECTIONS = 6
/** For the supervisor, commands and backups. */
const RESERVED = 10
/** During an update, two versions run side by side. */
const VERSIONS = 2

/** PostgreSQL's default, which `poolSizesFor` does not count. */
const RESERVED_FOR_SUPERUSERS = 3

interface PoolUsers {
  processes: number
  /** Of each process, if the server allows as many. */
  connections?: number | undefined
}

/** Returns the `max_connections` of a server that has full pools in every process. */
export function maxConnectionsFor({ processes, connections = DEFAULT_CONNECTIONS }: PoolUsers): number {
  return VERSIONS * processes * (connections + UNPOOLED_CONNECTIONS) + RESERVED + RESERVED_FOR_SUPERUSERS
}

/** Returns how many connections all processes together must have in their pools. */
export function minConnections({ processes, connections = DEFAULT_CONNECTIONS }: PoolUsers): number {
  return processes === 1 ? connections : processes * sum(SMALLEST)
}

/** Returns pool sizes with which all processes together stay below the server's limit. Throws when that is too low. */
export async function poolSizesFor(
  url: string,
  { processes, connections = DEFAULT_CONNECTIONS }: PoolUsers,
): Promise<PoolSizes> {
  if (processes === 1) return divide(connections)
  const allowed = await withConnection(url, (client) =>
    selectValue(client, asNumber, [
      `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int`,
    ]),
  )
  return divide(Math.min(connections, poolOfEach(allowed, { processes, connections })))
}

function poolOfEach(allowed: number, users: PoolUsers): number {
  const { processes } = users
  const each = Math.floor((allowed - RESERVED) / (VERSIONS * processes)) - UNPOOLED_CONNECTIONS
  if (each < sum(SMALLEST)) {
    const enough = Math.floor((allowed - RESERVED) / VERSIONS / (sum(SMALLEST) + UNPOOLED_CONNECTIONS))
    throw new DatabaseProblem(
      `the database allows ${allowed} connections, too few for ${processes} processes: set PROCESSES to at most ${Math.max(enough, 1)}, or raise max_connections to ${maxConnectionsFor(users)}`,
    )
  }
  return each
}

/** A third is for jobs. */
function divide(connections: number): PoolSizes {
  const ownerConnections = Math.max(SMALLEST.ownerConnections, Math.round(connections / 3))
  return { ownerConnections, apiConnections: connections - ownerConnections }
}

function sum({ ownerConnections, apiConnections }: PoolSizes): number {
  return ownerConnections + apiConnections
}
