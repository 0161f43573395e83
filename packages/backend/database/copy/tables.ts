import type { ClientBase } from 'pg'
import { z } from 'zod'
import { selectRows } from '../select-rows.ts'

const tableRow = z.object({
  name: z.string(),
  columns: z.array(z.string()),
  blocks: z.number(),
  bytes: z.number(),
})

/** A table whose rows are copied. Names are quoted for SQL. */
export type CopiedTable = z.infer<typeof tableRow>

const nameRow = z.object({ name: z.string() })

/**
 * Schemas and tables that the target has of its own: the records of its upgrade, and the feed, whose rows hold transaction ids and
 * table ids of one server and are outdated within seconds.
 */
const OWN = `
  n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'supabase_migrations', 'realtime_feed', 'database_copy')
  and (n.nspname, c.relname) <> ('graphile_worker', 'migrations')
  and not exists (
    select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`

/** Returns the tables to copy with their present sizes. */
export function readTables(client: ClientBase): Promise<CopiedTable[]> {
  return selectRows(client, tableRow, [
    `select format('%I.%I', n.nspname, c.relname) as name,
       array(
         select quote_ident(a.attname) from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
         order by a.attname) as columns,
       (pg_relation_size(c.oid) / current_setting('block_size')::int)::int as blocks,
       pg_total_relation_size(c.oid)::float8 as bytes
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and ${OWN}
     order by 1`,
  ])
}

/** Returns the quoted names of the sequences, those of identity columns included. */
export async function readSequences(client: ClientBase): Promise<string[]> {
  const rows = await selectRows(client, nameRow, [
    `select format('%I.%I', n.nspname, c.relname) as name
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'S' and ${OWN}
     order by 1`,
  ])
  return rows.map(({ name }) => name)
}
