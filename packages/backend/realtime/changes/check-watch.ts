import { DatabaseError, type Pool } from 'pg'

import { FilterError } from './filter.ts'
import { checkConditions, type PatternBudget } from './matching.ts'
import {
  findRelations,
  mayRead,
  type Publication,
  type PublishedTable,
  watchTables,
} from './published-table.ts'
import type { Watch } from './subscription.ts'

interface Subscriber {
  role: string
  budget: PatternBudget
}

/** Throws when the role may read none of the tables or the filter is invalid. */
export async function checkWatch(
  publication: Publication,
  watch: Watch,
  { role, budget }: Subscriber,
): Promise<void> {
  const relations = (await findRelations(publication, watch)).filter((each) => mayRead(each, role))
  if (relations.length === 0) {
    throw new FilterError(
      `Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [${describeWatch(watch)}]`,
    )
  }
  if (relations.some(({ hasTriggers }) => !hasTriggers)) await watchTables(publication)
  for (const relation of relations) await checkColumns(publication.owner, { relation, watch, role, budget })
}

async function checkColumns(
  owner: Pool,
  { relation, watch, role, budget }: Subscriber & { relation: PublishedTable; watch: Watch },
): Promise<void> {
  const { conditions, selected } = watch
  const isReadable = (name: string) =>
    relation.columns.some((column) => column.name === name && column.readers.includes(role))
  const problem = (reason: string) =>
    new FilterError(
      `Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: [${describeWatch(watch)}]. Exception: ${reason}`,
    )
  const unknown = selected?.find((name) => !isReadable(name))
  if (unknown !== undefined) throw problem(`invalid column for select ${unknown}`)
  try {
    await checkConditions(owner, relation, { conditions, role, budget })
  } catch (error) {
    const reason = reasonOf(error)
    throw reason === null ? error : problem(reason)
  }
}

function describeWatch({ kind, schema, table, conditions, selected }: Watch): string {
  const filters = conditions.map(({ column, isNegated, operator, value }) => [
    column,
    `${isNegated ? 'not.' : ''}${operator}`,
    value,
  ])
  const event = kind?.toUpperCase() ?? '*'
  return `event: ${event}, schema: ${schema}, table: ${table}, filters: ${JSON.stringify(filters)}, select: ${JSON.stringify(selected)}`
}

/** Returns a message for an error that the client caused, otherwise null. */
export function reasonOf(error: unknown): string | null {
  if (error instanceof FilterError) return error.message
  // Class 22 is a data exception (invalid value for the column), class 42 a syntax error or missing operator, class 54 a value that
  // is too complex.
  if (error instanceof DatabaseError && /^(22|42|54)/.test(error.code ?? '')) return error.message
  return null
}
