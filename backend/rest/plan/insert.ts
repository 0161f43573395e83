import { undefinedColumn } from '../errors.ts'
import type { Payload } from '../request/payload.ts'
import type { Relation } from '../schema/model.ts'
import { identifier, join, list, nothing, sql, type Sql } from '../sql.ts'
import { payloadColumns, payloadRows } from './payload-rows.ts'

export interface InsertPlan {
  relation: Relation
  payload: Payload
  resolution: 'merge-duplicates' | 'ignore-duplicates' | undefined
  onConflict: string[] | null
  fillsDefaults: boolean
  alias: string
  returning: Sql
}

export function insertRows(plan: InsertPlan): Sql {
  const { relation, payload, fillsDefaults, alias, returning } = plan
  const columns = payloadColumns(payload, relation)
  const rows = payloadRows({ payload, columns, alias: 'payload', fillsDefaults })
  const names = columns.map(({ name }) => identifier(name))
  const values = columns.map(({ name }) => identifier('payload', name))
  const into = sql`insert into ${identifier(relation.schema, relation.name)} as ${identifier(alias)}`
  const target = names.length > 0 ? sql`${into} (${list(names)})` : into
  return sql`${target} select ${list(values)} from ${rows}${onConflict(plan)} returning ${returning}`
}

function onConflict({ relation, payload, resolution, onConflict: named }: InsertPlan): Sql {
  const columns = named ?? relation.primaryKey
  if (!resolution || columns.length === 0) return nothing
  for (const name of columns) if (!relation.columns.has(name)) throw undefinedColumn(`"${name}"`)

  const target = sql` on conflict (${list(columns.map((name) => identifier(name)))})`
  if (resolution === 'ignore-duplicates' || payload.keys.length === 0) return sql`${target} do nothing`
  const updates = payload.keys.map((name) => sql`${identifier(name)} = ${identifier('excluded', name)}`)
  return sql`${target} do update set ${list(updates)} where ${COUNT_MERGED}`
}

/**
 * Counts the rows that were there already: an upsert that inserted none answers 200 instead of 201. `returning xmax`
 * would tell too, but asks for a right to select that an insert alone does not need.
 */
const COUNT_MERGED = sql`set_config('pgrst.merged',
    (coalesce(nullif(current_setting('pgrst.merged', true), ''), '0')::int + 1)::text, true) is not null`

export const MERGED = sql`coalesce(nullif(current_setting('pgrst.merged', true), ''), '0')`

/** The primary key of the only inserted row as JSON of texts, for the Location header; null for more rows. */
export function locationOf({ primaryKey }: Relation): Sql {
  if (primaryKey.length === 0) return sql`null`
  const key = join(
    primaryKey.map((name) => identifier(name)),
    ', ',
  )
  return sql`(
    select json_object_agg(key, value)
    from (select ${key} from source limit 1) as inserted, json_each_text(row_to_json(inserted))
    where (select count(*) from source) = 1
  )`
}
