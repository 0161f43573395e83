import { type Client, type ClientConfig, Pool } from 'pg'
import { CurrentServer } from './servers/current-server.ts'
import { followPrimary } from './servers/follow-primary.ts'
import { type SilenceOptions, watchSilence } from './servers/watch-silence.ts'

export interface DatabasePools {
  /** Names all servers of the database. */
  url: string
  /** Connections of the role that owns the tables (BYPASSRLS): for migrations, jobs and the server's own work. */
  owner: Pool
  /** Connections of the role `authenticator`, which has no rights until a transaction runs `set local role`. */
  api: Pool
  /** Creates a connection outside the pools, with the settings of the API's. */
  createClient(this: void, config: ClientConfig): Client
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** The one of several servers to begin with. */
  primary?: string
  ownerConnections?: number
  apiConnections?: number
  /** Called when a connection breaks, for example because PostgreSQL restarts; the pool replaces it. */
  onConnectionLost?: (error: Error) => void
  /** Called when another one of several servers has become the primary. */
  onSwitch?: (host: string) => void
  /** Ends the connections while the database does not answer; without it, queries wait for an answer. */
  silence?: Omit<SilenceOptions, 'signal'>
}

/** Firewalls forget quiet connections, and a machine that lost its power does not close them. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/** `url` may name several servers: connections go to the one that can be written, and follow when another one is promoted. */
export function openDatabase(url: string, options: DatabaseOptions = {}): DatabasePools {
  const { primary, ownerConnections = 10, apiConnections = 20 } = options
  const { onConnectionLost = () => undefined, onSwitch = () => undefined } = options
  const server = new CurrentServer(url, primary)
  const ServerClient = server.clientClass()
  const connection = { Client: ServerClient, connectionTimeoutMillis: 10_000, ...KEEP_ALIVE }
  const owner = new Pool({ ...connection, max: ownerConnections, application_name: 'shop' })
  const apiSession = { application_name: 'shop api', options: '-c role=authenticator' }
  const api = new Pool({ ...connection, ...apiSession, max: apiConnections })
  const pools = [owner, api]
  for (const pool of pools) {
    pool.on('connect', (client) => client.on('error', onConnectionLost))
    pool.on('error', () => {}) // The pool re-emits errors that the client's handler has received.
  }
  const closing = new AbortController()
  followPrimary(server, { onSwitch, signal: closing.signal })
  if (options.silence) watchSilence(server, { ...options.silence, signal: closing.signal })

  return {
    url,
    owner,
    api,
    createClient: (config) => new ServerClient({ ...apiSession, ...KEEP_ALIVE, ...config }),
    async close() {
      closing.abort()
      await Promise.all(pools.map((pool) => pool.end()))
    },
  }
}
