import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Connection, PoolClient, Submittable } from 'pg'

/** Values are sent as text without a type: PostgreSQL infers it, as for a quoted literal. */
export interface Statement {
  text: string
  values: (string | null)[]
}

/** A row of unparsed text values. */
export type TextRow = (string | null)[]

/** Limit per connection and variant: clients can send any number of different queries, so the cache evicts the oldest. */
const MAX_PREPARED_STATEMENTS = 100

/**
 * Part of the statement names: a process that runs a bundle beside its own files loads this module twice (decision 0002), and
 * both copies prepare statements on the same connections.
 */
const MODULE_ID = randomBytes(4).toString('hex')

/**
 * Sends several statements in one round trip and returns the rows of each.
 *
 * In PostgreSQL's extended protocol, all messages before Sync form one implicit transaction: after an error, the server skips to
 * Sync and rolls everything back. A pipeline with an explicit `begin` leaves the transaction open.
 *
 * `variant` separates prepared statements with the same text by role: under row-level security, PostgreSQL replans a statement
 * whenever the role changes.
 */
export function runPipeline(client: PoolClient, statements: Statement[], variant = ''): Promise<TextRow[][]> {
  return new Promise((resolve, reject) => {
    client.query(new Pipeline(statements, variant, { resolve, reject }))
  })
}

interface PipelineCallbacks {
  resolve: (rows: TextRow[][]) => void
  reject: (error: Error) => void
}

/** Implements the driver's interface for queries, as its own `Query` and `pg-cursor` do. */
class Pipeline implements Submittable {
  readonly #statements: Statement[]
  readonly #variant: string
  readonly #callbacks: PipelineCallbacks
  readonly #rows: TextRow[][]
  #current = 0
  #prepared: PreparedStatements | undefined
  #newlyParsed: string[] = []

  constructor(statements: Statement[], variant: string, callbacks: PipelineCallbacks) {
    this.#statements = statements
    this.#variant = variant
    this.#callbacks = callbacks
    this.#rows = statements.map(() => [])
  }

  submit(connection: Connection): void {
    const prepared = preparedOn(connection, this.#variant)
    this.#prepared = prepared
    connection.stream.cork()
    prepared.closeDropped(connection)
    for (const { text, values } of this.#statements) {
      const statement = this.#prepare(connection, prepared, text)
      connection.bind({ statement, values }, true)
      connection.execute(null, true)
    }
    connection.sync()
    connection.stream.uncork()
  }

  #prepare(connection: Connection, prepared: PreparedStatements, text: string): string {
    const known = prepared.find(text)
    if (known) return known

    const name = prepared.add(text)
    prepared.closeDropped(connection)
    connection.parse({ name, text, types: [] }, true)
    this.#newlyParsed.push(text)
    return name
  }

  handleDataRow(message: { fields: TextRow }): void {
    this.#rows[this.#current]?.push(message.fields)
  }

  handleCommandComplete(): void {
    this.#current += 1
  }

  handleEmptyQuery(): void {
    this.#current += 1
  }

  handleReadyForQuery(): void {
    this.#callbacks.resolve(this.#rows)
  }

  handleError(error: Error): void {
    this.#prepared?.drop(this.#newlyParsed)
    this.#callbacks.reject(error)
  }

  handleRowDescription(): void {}
  handlePortalSuspended(): void {}
  handleCopyData(): void {}
  handleCopyInResponse(connection: Connection & { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail('COPY is not supported')
  }
}

/** The statements that one connection has prepared in one variant, by text. */
class PreparedStatements {
  readonly #prefix: string
  #lastNumber = 0
  #dropped: string[] = []
  readonly #names = new LRUCache<string, string>({
    max: MAX_PREPARED_STATEMENTS,
    dispose: (name) => this.#dropped.push(name),
  })

  constructor(variant: string) {
    this.#prefix = `p${MODULE_ID}_${variant}_`
  }

  find(text: string): string | undefined {
    return this.#names.get(text)
  }

  add(text: string): string {
    this.#lastNumber += 1
    const name = this.#prefix + this.#lastNumber
    this.#names.set(text, name)
    return name
  }

  /** After an error, it is unknown which of the new statements PostgreSQL has parsed: the next pipeline closes them. */
  drop(texts: string[]): void {
    for (const text of texts) this.#names.delete(text)
  }

  closeDropped(connection: Connection): void {
    for (const name of this.#dropped) connection.close({ type: 'S', name }, true)
    this.#dropped = []
  }
}

const preparedByConnection = new WeakMap<Connection, Map<string, PreparedStatements>>()

function preparedOn(connection: Connection, variant: string): PreparedStatements {
  const byVariant = preparedByConnection.get(connection) ?? new Map<string, PreparedStatements>()
  preparedByConnection.set(connection, byVariant)
  const prepared = byVariant.get(variant) ?? new PreparedStatements(variant)
  byVariant.set(variant, prepared)
  return prepared
}
