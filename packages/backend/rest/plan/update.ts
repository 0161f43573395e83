import { whereRequired } from '../errors.ts'
import type { FilterTree } from '../request/filter.ts'
import { identifier, internal, join, list, nothing, sql, type Sql } from '../sql.ts'
import { condition } from './filter.ts'
import { payloadColumns, type PayloadPlan, payloadRows } from './payload-rows.ts'
import { sourceOf } from './row-source.ts'

const ROW = internal('row')
const PAYLOAD = internal('payload')

export interface UpdatePlan extends PayloadPlan {
  filters: FilterTree[]
}

export function updateRows(plan: UpdatePlan): Sql {
  const { relation, payload, fillsDefaults, alias, returning, filters } = plan
  if (filters.length === 0) throw whereRequired('UPDATE')
  const columns = payloadColumns(payload, relation)
  const target = sql`${identifier(relation.schema, relation.name)} as ${alias}`
  if (columns.length === 0) return sql`select ${returning} from ${target} where false`

  const rows = payloadRows({ payload, columns, alias: ROW, fillsDefaults })
  const values = columns.map(({ name }) => sql`${ROW}.${identifier(name)}`)
  const first = payload.isArray ? sql` limit 1` : nothing
  const updates = columns.map(({ name }) => sql`${identifier(name)} = ${sql`${PAYLOAD}.${identifier(name)}`}`)
  return sql`update ${target} set ${list(updates)} from (select ${list(values)} from ${rows}${first}) as ${PAYLOAD}${whereOf(
    plan,
  )} returning ${returning}`
}

export function deleteRows(plan: WriteFilters & Pick<UpdatePlan, 'returning'>): Sql {
  const { relation, alias, filters, returning } = plan
  if (filters.length === 0) throw whereRequired('DELETE')
  const target = sql`${identifier(relation.schema, relation.name)} as ${alias}`
  return sql`delete from ${target}${whereOf(plan)} returning ${returning}`
}

type WriteFilters = Pick<UpdatePlan, 'relation' | 'alias' | 'filters'>

function whereOf({ relation, alias, filters }: WriteFilters): Sql {
  const node = { source: sourceOf(relation), alias, embeds: [] }
  const conditions = filters.map((filter) => condition(node, filter))
  return conditions.length > 0 ? sql` where ${join(conditions, ' and ')}` : nothing
}
