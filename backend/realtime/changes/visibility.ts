import { runPipeline } from '#backend/database/pipeline.ts'
import type { Database } from '#backend/database/pool.ts'
import { becomeCaller, type Caller } from '#backend/http/caller.ts'
import {
  bind,
  fromCatalogue,
  identifier,
  internal,
  join,
  literal,
  sql,
  toStatement,
} from '#backend/rest/sql.ts'

import type { Relation } from './relation.ts'

/** A policy that takes longer hides the row: whoever waits behind it has waited enough. */
const TIMEOUT_MS = 3_000

/** Many are asked for in one round trip, but not so many that a slow policy keeps a connection for long. */
const ASKED_AT_ONCE = 50

/** Who asks, with the JSON objects that hold the primary keys of the rows in question. */
export interface Asker {
  caller: Caller
  keys: string[]
}

/**
 * Which rows each of these may see, by their positions, asked of PostgreSQL as each of them. All have the same role,
 * and everybody whose token says the same is one of them. A policy that fails is an error in the place of an answer.
 */
export async function visibleRows(
  database: Database,
  relation: Relation,
  askers: Asker[],
): Promise<(Set<number> | Error)[]> {
  const answers: (Set<number> | Error)[] = []
  for (let asked = 0; asked < askers.length; asked += ASKED_AT_ONCE) {
    answers.push(...(await askTogether(database, relation, askers.slice(asked, asked + ASKED_AT_ONCE))))
  }
  return answers
}

async function askTogether(
  database: Database,
  relation: Relation,
  askers: Asker[],
): Promise<(Set<number> | Error)[]> {
  try {
    return await ask(database, relation, askers)
  } catch (error) {
    // A connection that fails is another matter than a policy that does: the feed reads again.
    if (!(error instanceof Error) || !('severity' in error) || error.severity === 'FATAL') throw error
    if (askers.length === 1) return [error]
    const half = Math.ceil(askers.length / 2)
    const first = await askTogether(database, relation, askers.slice(0, half))
    return [...first, ...(await askTogether(database, relation, askers.slice(half)))]
  }
}

async function ask(database: Database, relation: Relation, askers: Asker[]): Promise<Set<number>[]> {
  const client = await database.api.connect()
  let broken: Error | undefined
  try {
    const settings = { statement_timeout: String(TIMEOUT_MS) }
    const statements = askers.flatMap(({ caller, keys }) => [
      becomeCaller(caller, { isReadOnly: true, settings }),
      rowsThatExist(relation, keys),
    ])
    const answers = await runPipeline(client, statements, askers[0]?.caller.role)
    return askers.map(
      (_, index) => new Set(answers[index * 2 + 1]?.map(([position]) => Number(position) - 1)),
    )
  } catch (error) {
    if (error instanceof Error && !('severity' in error)) broken = error
    throw error
  } finally {
    client.release(broken)
  }
}

const ROW = internal('row')
const WANTED = internal('wanted')

function rowsThatExist({ schema, name, key, columns }: Relation, keys: string[]) {
  const same = key.map((part) => {
    const type = columns.find((column) => column.name === part)?.sqlType ?? 'text'
    return sql`${ROW}.${identifier(part)} = (${WANTED}.key ->> ${literal(part)})::${fromCatalogue(type)}`
  })
  return toStatement(sql`
    select ${WANTED}.position from json_array_elements(${bind(`[${keys.join(',')}]`)}::json) with ordinality as ${WANTED}(key, position)
    where exists (select from ${identifier(schema, name)} as ${ROW} where ${join(same, ' and ')})`)
}
