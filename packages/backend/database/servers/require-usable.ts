import { withConnection } from '../upgrade/connection.ts'
import { checkConnections } from './connections.ts'
import { findPrimary } from './find-primary.ts'
import { requireRights } from './missing-rights.ts'
import { requireSessions } from './pooler.ts'
import { urlsOf } from './addresses.ts'

export interface ServerNeeds {
  /** Size of all pools. */
  connections: number
  /** Extensions without which the application's tables cannot be created. */
  extensions: string[]
}

export interface UsableServer {
  /** URL of the server that can be written. */
  primary: string
  /** A line for the log, or null. */
  warning: string | null
}

/** Throws a DatabaseProblem that says everything that stands in the way of using a database server. Writes nothing. */
export async function requireUsable(databaseUrl: string, needs: ServerNeeds): Promise<UsableServer> {
  const primary = await findPrimary(urlsOf(databaseUrl))
  await requireSessions(primary)
  return withConnection(primary, async (client) => {
    await requireRights(client, needs.extensions)
    return { primary, warning: await checkConnections(client, needs.connections) }
  })
}
