import { randomBytes } from 'node:crypto'
import type { Connection, PoolClient, Submittable } from 'pg'

/** Values travel as text without a type: PostgreSQL infers it, as it does for a quoted literal. */
export interface Statement {
  text: string
  values: (string | null)[]
}

/** A row as PostgreSQL wrote it: text, not parsed. */
export type Row = (string | null)[]

/** Plans kept per connection and variant. A client can make any number of different queries, so the oldest must go. */
const PREPARED_AT_MOST = 100

/**
 * This module exists twice in a process that runs a bundle beside its own files (decision 0002), and both copies use the
 * same connections: each names its statements apart.
 */
const COPY = randomBytes(4).toString('hex')

/**
 * Sends several statements in one message and reads one answer: the rows of each.
 *
 * Up to its Sync message PostgreSQL's extended protocol is one transaction, without `begin` and `commit`. After an
 * error the server skips to the Sync, and nothing of what came before has happened. A pipeline that says `begin`
 * itself leaves the transaction open instead.
 *
 * `variant` keeps plans apart that share a text but not the role they are made for: row-level security would have
 * them planned anew at each change of role.
 */
export function runPipeline(client: PoolClient, statements: Statement[], variant = ''): Promise<Row[][]> {
  return new Promise((resolve, reject) => {
    client.query(new Pipeline(statements, variant, { resolve, reject }))
  })
}

interface Outcome {
  resolve: (rows: Row[][]) => void
  reject: (error: Error) => void
}

/** What the driver asks of a query besides `submit`; its own `Query` and `pg-cursor` are built the same way. */
class Pipeline implements Submittable {
  readonly #statements: Statement[]
  readonly #variant: string
  readonly #outcome: Outcome
  readonly #rows: Row[][]
  #current = 0
  #prepared: PreparedStatements | undefined
  #parsedHere: string[] = []

  constructor(statements: Statement[], variant: string, outcome: Outcome) {
    this.#statements = statements
    this.#variant = variant
    this.#outcome = outcome
    this.#rows = statements.map(() => [])
  }

  submit(connection: Connection): void {
    const prepared = preparedOn(connection, this.#variant)
    this.#prepared = prepared
    connection.stream.cork()
    for (const name of prepared.takeDoubtful()) connection.close({ type: 'S', name }, true)
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

    const { name, evicted } = prepared.add(text)
    if (evicted) connection.close({ type: 'S', name: evicted }, true)
    connection.parse({ name, text, types: [] }, true)
    this.#parsedHere.push(text)
    return name
  }

  handleDataRow(message: { fields: Row }): void {
    this.#rows[this.#current]?.push(message.fields)
  }

  handleCommandComplete(): void {
    this.#current += 1
  }

  handleEmptyQuery(): void {
    this.#current += 1
  }

  handleReadyForQuery(): void {
    this.#outcome.resolve(this.#rows)
  }

  handleError(error: Error): void {
    this.#prepared?.doubt(this.#parsedHere)
    this.#outcome.reject(error)
  }

  handleRowDescription(): void {}
  handlePortalSuspended(): void {}
  handleCopyData(): void {}
  handleCopyInResponse(connection: Connection & { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail('copy is not served')
  }
}

/** The statements one connection has parsed in one variant, by their text; least recently used first. */
class PreparedStatements {
  readonly #prefix: string
  readonly #names = new Map<string, string>()
  #doubtful: string[] = []
  #lastNumber = 0

  constructor(variant: string) {
    this.#prefix = `p${COPY}_${variant}_`
  }

  find(text: string): string | undefined {
    const name = this.#names.get(text)
    if (name === undefined) return undefined
    this.#names.delete(text)
    this.#names.set(text, name)
    return name
  }

  add(text: string): { name: string; evicted: string | undefined } {
    this.#lastNumber += 1
    const name = this.#prefix + this.#lastNumber
    this.#names.set(text, name)
    if (this.#names.size <= PREPARED_AT_MOST) return { name, evicted: undefined }

    const [oldest, evicted] = this.#names.entries().next().value ?? []
    if (oldest !== undefined) this.#names.delete(oldest)
    return { name, evicted }
  }

  /** After an error nobody knows which of the new statements PostgreSQL has parsed: they are closed and forgotten. */
  doubt(texts: string[]): void {
    for (const text of texts) {
      const name = this.#names.get(text)
      if (name !== undefined) this.#doubtful.push(name)
      this.#names.delete(text)
    }
  }

  takeDoubtful(): string[] {
    const names = this.#doubtful
    this.#doubtful = []
    return names
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
