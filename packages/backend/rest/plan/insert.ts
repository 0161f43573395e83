import { undefinedColumn } from '../errors.ts'
import type { Relation } from '../schema/model.ts'
import { identifier, internal, list, nothing, sql, type Sql } from '../sql.ts'
import { payloadColumns, type PayloadPlan, payloadRows } from './payload-rows.ts'
import { SOURCE } from './statement.ts'

const PAYLOAD = internal('payload')
const INSERTED = internal('inserted')
const PART = internal('part')

export interface InsertPlan extends PayloadPlan {
  resolution: 'merge-duplicates' | 'ignore-duplicates' | undefined
  onConflict: string[] | null
}

export function insertRows(plan: InsertPlan): Sql {
  const { relation, payload, fillsDefaults, alias, returning } = plan
  const columns = payloadColumns(payload, relation)
  const rows = payloadRows({ payload, columns, alias: PAYLOAD, fillsDefaults })
  const names = columns.map(({ name }) => identifier(name))
  const values = columns.map(({ name }) => sql`${PAYLOAD}.${identifier(name)}`)
  const into = sql`insert into ${identifier(relation.schema, relation.name)} as ${alias}`
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
 * Counts the merged rows: an upsert that inserted none returns 200 instead of 201. `returning xmax` would need a select privilege that an
 * insert alone does not.
 */
const COUNT_MERGED = sql`set_config('pgrst.merged',
    (coalesce(nullif(current_setting('pgrst.merged', true), ''), '0')::int + 1)::text, true) is not null`

export const MERGED = sql`coalesce(nullif(current_setting('pgrst.merged', true), ''), '0')`

/** The primary key of a single inserted row as JSON, for the Location header; null for several rows. */
export function locationOf({ primaryKey }: Relation): Sql {
  if (primaryKey.length === 0) return sql`null`
  const key = list(primaryKey.map((name) => identifier(name)))
  return sql`(
    select json_object_agg(${PART}.key, ${PART}.value)
    from (select ${key} from ${SOURCE} limit 1) as ${INSERTED}, json_each_text(row_to_json(${INSERTED})) as ${PART}
    where (select count(*) from ${SOURCE}) = 1
  )`
}
