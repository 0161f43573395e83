import type { Pool } from 'pg'
import { z } from 'zod'

import { selectRows } from '#backend/database/select-rows.ts'

const publishedColumn = z.object({
  name: z.string(),
  /** Type name for the client: `int4`, `_text`. */
  type: z.string(),
  /** Quoted type name for SQL. */
  sqlType: z.string(),
  readers: z.array(z.string()),
})

const publishedTable = z.object({
  oid: z.number(),
  schema: z.string(),
  name: z.string(),
  hasPolicies: z.boolean(),
  hasTriggers: z.boolean(),
  key: z.array(z.string()),
  columns: z.array(publishedColumn),
})

/** A published table with the readable columns by role. */
export type PublishedTable = z.infer<typeof publishedTable>
export type PublishedColumn = z.infer<typeof publishedColumn>

export interface TablePattern {
  /** `*` means any. */
  schema: string
  table: string
}

export interface Publication {
  owner: Pool
  name: string
}

/** Not cached: tables, grants and policies may change while sockets are open. */
export function describeRelations({ owner, name }: Publication, oids: number[]): Promise<PublishedTable[]> {
  return selectRows(owner, publishedTable, [`${RELATIONS} and c.oid = any($2::oid[])`, name, oids])
}

export function findRelations(
  { owner, name }: Publication,
  { schema, table }: TablePattern,
): Promise<PublishedTable[]> {
  return selectRows(owner, publishedTable, [
    `${RELATIONS} and ($2 = '*' or n.nspname = $2) and ($3 = '*' or c.relname = $3)`,
    name,
    schema,
    table,
  ])
}

/** Creates the feed's triggers on new tables of the publication. */
export async function watchTables({ owner, name }: Publication): Promise<void> {
  await owner.query('select realtime_feed.watch($1)', [name])
}

export function readableColumns(relation: PublishedTable, role: string): PublishedColumn[] {
  return relation.columns.filter(({ readers }) => readers.includes(role))
}

/** A role that cannot read the primary key receives no changes of the table. */
export function mayRead(relation: PublishedTable, role: string): boolean {
  const readable = new Set(readableColumns(relation, role).map(({ name }) => name))
  return readable.size > 0 && relation.key.every((name) => readable.has(name))
}

const RELATIONS = `
  select c.oid, n.nspname as schema, c.relname as name, c.relrowsecurity as "hasPolicies",
    exists (select from pg_trigger where tgrelid = c.oid and tgname = 'realtime_feed_insert') as "hasTriggers",
    realtime_feed.primary_key(c.oid) as key,
    (
      select coalesce(json_agg(json_build_object(
        'name', a.attname,
        'type', t.typname,
        'sqlType', format('%I.%I', tn.nspname, t.typname),
        'readers', array(
          select role from unnest(array['anon', 'authenticated', 'service_role']) as role
          where has_column_privilege(role, c.oid, a.attnum, 'select')
        )
      ) order by a.attnum), '[]')
      from pg_attribute a join pg_type t on t.oid = a.atttypid join pg_namespace tn on tn.oid = t.typnamespace
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.oid in (select realtime_feed.published($1))`
