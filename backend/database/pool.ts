import { Pool } from 'pg'

export interface Database {
  /** The role that owns the tables (BYPASSRLS): migrations, jobs, work the server does in its own name. */
  owner: Pool
  /** Connections that start as role `authenticator`: no rights until a transaction chooses a role with `set local role`. */
  api: Pool
  close(): Promise<void>
}

export interface DatabaseOptions {
  ownerConnections?: number
  apiConnections?: number
  /** Told when a connection breaks, say because PostgreSQL was restarted; the pool replaces it by itself. */
  onConnectionLost?: (error: Error) => void
}

export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
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
    pool.on('error', () => {}) // The pool repeats what its client has told already.
  }

  return {
    owner,
    api,
    async close() {
      await Promise.all(pools.map((pool) => pool.end()))
    },
  }
}
