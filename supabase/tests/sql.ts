import { type ClientBase, DatabaseError, type QueryResultRow } from 'pg'
import { test as base } from 'vitest'
import { as, requireMailProps, shopDatabase, type TestDatabase, type Who } from '#test/database.ts'

/** The error of a statement. For errors of private.refuse(), `reason` is the code and `facts` the details. */
export interface Refusal {
  code: string
  message: string
  reason: string | undefined
  facts: unknown
  constraint: string | undefined
}

/** One open transaction, rolled back after the test. It starts as the owner of the database. */
export interface TestTransaction {
  as(who: Who): Promise<void>
  asShop(): Promise<void>
  rows<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  row<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row>
  /** Returns the only column of the only row. */
  value<T = unknown>(text: string, values?: unknown[]): Promise<T>
  /** Returns the number of rows that the statement read or wrote. */
  touched(text: string): Promise<number>
  /** Returns the error of a statement that must fail, and rolls back to a savepoint. */
  refusal(text: string, values?: unknown[]): Promise<Refusal>
}

interface Databases {
  /** Of one file, whose tests may commit. */
  shop: TestDatabase
  /** Of all files of a process, whose tests leave no row behind. */
  sharedShop: TestDatabase
}

export const test = base.extend<Databases & { sql: TestTransaction }>({
  shop: [openUntilUsed, { scope: 'file' }],
  sharedShop: [openUntilUsed, { scope: 'worker' }],
  sql: ({ sharedShop }, use) => rollBack(sharedShop, use),
})

/** Its `sql` uses the file's database: tables that grew, statistics and kept plans outlast a transaction. */
export const testInOwnShop = test.extend<{ sql: TestTransaction }>({
  sql: ({ shop }, use) => rollBack(shop, use),
})

// oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixture's dependencies from this pattern
async function openUntilUsed({}, use: (shop: TestDatabase) => Promise<void>): Promise<void> {
  const shop = await shopDatabase()
  await use(shop)
  await shop.close()
}

async function rollBack(shop: TestDatabase, use: (sql: TestTransaction) => Promise<void>): Promise<void> {
  const client = await shop.database.owner.connect()
  await client.query('begin')
  try {
    await use(sqlOn(client))
    await client.query('reset role')
    await requireMailProps(client)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

export function sqlOn(client: ClientBase): TestTransaction {
  async function rows<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await client.query<Row>(text, values)).rows
  }

  return {
    rows,
    row: async <Row extends QueryResultRow>(text: string, values?: unknown[]) =>
      only(await rows<Row>(text, values), text),
    as: (who) => as(client, who),
    async asShop() {
      await client.query(`reset role; select set_config('request.jwt.claims', '', true)`)
    },
    async value<T>(text: string, values: unknown[] = []) {
      const found = await client.query<[T]>({ text, values, rowMode: 'array' })
      return only(found.rows, text)[0]
    },
    async touched(text) {
      return (await client.query(text)).rowCount ?? 0
    },
    async refusal(text, values = []) {
      await client.query('savepoint before')
      try {
        await client.query(text, values)
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error
        await client.query('rollback to savepoint before')
        return refusalOf(error)
      }
      throw new Error(`not refused: ${text}`)
    },
  }
}

function only<T>(found: T[], text: string): T {
  const [first] = found
  if (first === undefined || found.length > 1) throw new Error(`${found.length} rows for ${text}`)
  return first
}

export function refusalOf(error: DatabaseError): Refusal {
  return {
    code: error.code ?? '',
    message: error.message,
    reason: error.detail,
    facts: error.code?.startsWith('PT') && error.hint ? JSON.parse(error.hint) : undefined,
    constraint: error.constraint,
  }
}
