import { DatabaseError, type Pool } from 'pg'
import { z } from 'zod'

import { selectRows } from '#backend/database/select-rows.ts'
import { inRolledBackTransaction } from '#backend/database/transaction.ts'
import {
  bind,
  fromCatalogue,
  identifier,
  internal,
  join,
  literal,
  sql,
  toStatement,
  type Sql,
} from '#backend/rest/sql.ts'

import { FilterError, TOO_SLOW, type Condition, type Operator } from './filter.ts'
import type { PublishedColumn, PublishedTable } from './published-table.ts'

/** Limits a client's regular expression, which could otherwise run forever (ReDoS); a timeout ends the subscription. */
const TIMEOUT_MS = 500

const QUERY_CANCELED = '57014'

/** How long PostgreSQL may compile the regular expressions of one join: a few characters can take it seconds. */
export class PatternBudget {
  #leftMs = TIMEOUT_MS

  /** Returns what `compile` returns. Throws a `FilterError` when it times out or exceeds the rest of the budget. */
  async spend<T>(compile: () => Promise<T>): Promise<T> {
    const startedAt = performance.now()
    const compiled = await compile().catch((cause: unknown) => {
      if (!(cause instanceof DatabaseError && cause.code === QUERY_CANCELED)) throw cause
      throw new FilterError(TOO_SLOW, { cause })
    })
    this.#leftMs -= performance.now() - startedAt
    if (this.#leftMs < 0) throw new FilterError(TOO_SLOW)
    return compiled
  }
}

const COMPARISONS: Record<Exclude<Operator, 'in' | 'is'>, Sql> = {
  eq: sql`=`,
  neq: sql`<>`,
  lt: sql`<`,
  lte: sql`<=`,
  gt: sql`>`,
  gte: sql`>=`,
  like: sql`like`,
  ilike: sql`ilike`,
  match: sql`~`,
  imatch: sql`~*`,
  isdistinct: sql`is distinct from`,
}
const IS: Record<string, Sql> = {
  null: sql`is null`,
  true: sql`is true`,
  false: sql`is false`,
  unknown: sql`is unknown`,
}

const ENTRY = internal('entry')
const FILTER = internal('filter')
const ROW = internal('row')

const matchRow = z.object({ filter: z.number(), entry: z.string() })

/** Evaluates filters that differ only in their values in one query. Returns the ids of matching entries by filter position. */
export async function matchFilters(
  owner: Pool,
  relation: PublishedTable,
  { entryIds, filters }: { entryIds: string[]; filters: Condition[][] },
): Promise<Set<string>[]> {
  const [shape = []] = filters
  const values = JSON.stringify(filters.map((conditions) => conditions.map(({ value }) => value)))
  const row = sql`coalesce(${ENTRY}.record, ${ENTRY}.old_record)`
  const conditionsSql = shape.map((condition, index) => {
    const value = sql`(${FILTER}.condition_values ->> ${literal(String(index))}::int)`
    // A deleted row may contain only its key: a condition on a missing column never matches.
    const isPresent = sql`(${row} -> ${literal(condition.column)}) is not null`
    return sql`${isPresent} and ${conditionSql(columnOf(relation, condition), { condition, field: sql`${ROW}.${identifier(condition.column)}`, value })}`
  })
  const query = sql`
    select ${FILTER}.number::int as filter, ${ENTRY}.id::text as entry
    from realtime_feed.entries as ${ENTRY}
    cross join lateral json_populate_record(null::${identifier(relation.schema, relation.name)}, ${row}) as ${ROW},
      json_array_elements(${bind(values)}::json) with ordinality as ${FILTER}(condition_values, number)
    where ${ENTRY}.id = any(${bind(`{${entryIds.join(',')}}`)}::bigint[]) and ${join(conditionsSql, ' and ')}`

  const matches = filters.map(() => new Set<string>())
  for (const { filter, entry } of await runQuery(owner, matchRow, { query })) {
    matches[filter - 1]?.add(entry)
  }
  return matches
}

/** Throws unless the role may read every column and the column's type supports the value and the operator. */
export async function checkConditions(
  owner: Pool,
  relation: PublishedTable,
  { conditions, role, budget }: { conditions: Condition[]; role: string; budget: PatternBudget },
): Promise<void> {
  for (const condition of conditions) {
    const column = columnOf(relation, condition)
    if (!column.readers.includes(role)) throw unknownColumn(condition)
    const field = sql`null::${fromCatalogue(column.sqlType)}`
    // Selects the value separately, because PostgreSQL does not evaluate the operand of a comparison with null.
    const value = bind(condition.value)
    const cast = condition.operator === 'is' ? sql`null` : typed(column, condition, value)
    const isRegex = condition.operator.endsWith('match')
    const pattern = isRegex ? sql`'' ~ ${value}` : sql`true`
    const query = sql`select ${cast}, ${pattern}, ${conditionSql(column, { condition, field, value })}`
    await runQuery(owner, z.unknown(), { query, budget: isRegex ? budget : undefined })
  }
}

function columnOf(relation: PublishedTable, { column: name }: Condition): PublishedColumn {
  const column = relation.columns.find((each) => each.name === name)
  if (!column) throw new FilterError(`invalid column for filter ${name}`)
  return column
}

function unknownColumn({ column }: Condition): FilterError {
  return new FilterError(`invalid column for filter ${column}`)
}

interface ComparedValue {
  condition: Condition
  field: Sql
  value: Sql
}

function conditionSql(column: PublishedColumn, { condition, field, value }: ComparedValue): Sql {
  const holds = comparison(column, { condition, field, value })
  return condition.isNegated ? sql`not (${holds})` : sql`(${holds})`
}

function comparison(column: PublishedColumn, { condition, field, value }: ComparedValue): Sql {
  const { operator } = condition
  if (operator === 'is') return sql`${field} ${IS[condition.value] ?? sql`is null`}`
  const compared = typed(column, condition, value)
  return operator === 'in'
    ? sql`${field} = any (${compared})`
    : sql`${field} ${COMPARISONS[operator]} ${compared}`
}

function typed(column: PublishedColumn, { operator }: Condition, value: Sql): Sql {
  return operator === 'in'
    ? sql`${value}::${fromCatalogue(column.sqlType)}[]`
    : sql`${value}::${fromCatalogue(column.sqlType)}`
}

/** The wait for a connection is not charged to the budget: a busy database is not the fault of a pattern. */
function runQuery<Row extends z.ZodType>(
  owner: Pool,
  row: Row,
  { query, budget }: { query: Sql; budget?: PatternBudget | undefined },
): Promise<z.infer<Row>[]> {
  const { text, values } = toStatement(query)
  const begin = `begin read only; set local statement_timeout = ${TIMEOUT_MS}; set local timezone = 'UTC'`
  return inRolledBackTransaction(owner, begin, (client) => {
    const run = () => selectRows(client, row, [text, ...values])
    return budget ? budget.spend(run) : run()
  })
}
