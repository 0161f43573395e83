import { Client, type ClientConfig } from 'pg'
import { type ServerAddress, serverAddress, urlsOf } from './addresses.ts'

/** Start with the words by which `whyUnavailable` knows them: requests that they end are tried again later. */
const READ_ONLY = 'The database server is read-only'
const REPLACED = 'The database has another primary server'

/** Parameters of the session that a server announces, also when they change (PostgreSQL 14 and newer). */
const READ_ONLY_PARAMETERS = new Set(['in_hot_standby', 'default_transaction_read_only'])

interface ServerConnection {
  url: string
  connection: Client['connection']
}

/**
 * The server that new connections go to, and all connections that are open. A connection to a server that turns out to be
 * read-only ends, so that its pool makes another one.
 */
export class CurrentServer {
  readonly #connections = new Set<ServerConnection>()
  readonly urls: string[]
  #url: string
  #address: ServerAddress
  #isSilent = false
  /** Called when a connection reaches or becomes read-only. */
  onReadOnly: () => void = () => undefined

  constructor(databaseUrl: string, primary?: string) {
    this.urls = urlsOf(databaseUrl)
    this.#url = primary ?? this.urls[0] ?? databaseUrl
    this.#address = serverAddress(this.#url)
  }

  get url(): string {
    return this.#url
  }

  /** Sends new connections to another server, and ends those to all others. */
  use(url: string): void {
    this.#url = url
    this.#address = serverAddress(url)
    for (const { url: own, connection } of this.#connections) {
      if (own !== url) connection.stream.destroy(new Error(REPLACED))
    }
  }

  /** While the server does not answer: ends all connections, and new ones at once. */
  set isSilent(isSilent: boolean) {
    this.#isSilent = isSilent
    if (!isSilent) return
    for (const { connection } of this.#connections) connection.stream.destroy(new NoAnswerError())
  }

  /** Returns the class of clients for a pool: it asks for the current server when it is created. */
  clientClass(): new (config?: ClientConfig) => Client {
    const configured = (config: ClientConfig) => ({ ...config, ...this.#addressFor(config) })
    const watch = (client: Client) => this.#watch(client)
    return class extends Client {
      constructor(config: ClientConfig = {}) {
        super(configured(config))
        watch(this)
      }
    }
  }

  #addressFor({ options = '' }: ClientConfig): ClientConfig {
    const { connectionString, options: given } = this.#address
    return { connectionString, options: [given, options].filter(Boolean).join(' ') }
  }

  #watch({ connection }: Client): void {
    const entry = { url: this.#url, connection }
    this.#connections.add(entry)
    connection.once('end', () => this.#connections.delete(entry))
    if (this.#isSilent) setImmediate(() => connection.stream.destroy(new NoAnswerError()))
    connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (!READ_ONLY_PARAMETERS.has(parameterName) || parameterValue !== 'on') return
      connection.stream.destroy(new Error(READ_ONLY))
      this.onReadOnly()
    })
  }
}

class NoAnswerError extends Error {
  readonly code = 'ETIMEDOUT'
  override message = 'The database does not answer'
}

interface ParameterStatus {
  parameterName: string
  parameterValue: string
}
