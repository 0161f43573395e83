import { Pool } from 'pg'

export interface DatabasePools {
  /** Connections of the role that owns the tables (BYPASSRLS): for migrations, jobs and the server's own work. */
  owner: Pool
  /** Connections of the role `authenticator`, which has no rights until a transaction runs `set local role`. */
  api: Pool
  close(): Promise<void>
}

export interface DatabaseOptions {
  ownerConnections?: number
  apiConnections?: number
  /** Called when a connection breaks, for example because PostgreSQL restarts; the pool replaces it. */
  onConnectionLost?: (error: Error) => void
}

export function openDatabase(url: string, options: DatabaseOptions = {}): DatabasePools {
  const { ownerConnections = 10, apiConnections = 20, onConnectionLost = () => undefined } = options
  const connection = { connectionString: url, connectionTimeoutMillis: 10_000 }
  const owner = new Pool({ ...connection, max: ownerConnections, application_name: 'shop' })
  const api = new Pool({
    ...connection,
    max: apiConnections,
    application_name: 'shop api',
    options: '-c role=authenticator',
  })
  const pools = [owner, api]
  for (const pool of pools) {
    pool.on('connect', (client) => client.on('error', onConnectionLost))
    pool.on('error', () => {}) // The pool re-emits errors that the client's handler has received.
  }

  return {
    owner,
    api,
    async close() {
      await Promise.all(pools.map((pool) => pool.end()))
    },
  }
}
