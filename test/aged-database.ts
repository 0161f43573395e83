import type { Client } from 'pg'

const TABLES = `
  select format('%I.%I', n.nspname, c.relname) as name, c.oid
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema|supabase_migrations)'`

/** Returns up to three markers by the table that holds them, in whatever column. */
export async function tablesWith(superuser: Client, markers: string[]): Promise<Record<string, string[]>> {
  const { rows: tables } = await superuser.query<{ name: string }>(`${TABLES} order by 1`)
  const found: Record<string, string[]> = {}
  for (const { name } of tables) {
    // oxlint-disable-next-line no-await-in-loop -- one table after the other
    const { rows } = await superuser.query<{ text: string }>(`select t::text as text from ${name} t`)
    const content = rows.map(({ text }) => text).join('\n')
    const held = markers.filter((marker) => content.includes(marker))
    if (held.length > 0) found[name] = held.slice(0, 3)
  }
  return found
}

/** Moves every moment in the database into the past, which is the same as a clock that is ahead. */
export async function age(superuser: Client, by: string): Promise<void> {
  const { rows } = await superuser.query<{ statement: string }>(
    `select format('update %s set %s', t.name, string_agg(format('%1$I = %1$I - interval %2$L', a.attname, $1::text), ', ')) as statement
     from (${TABLES}) as t join pg_attribute a on a.attrelid = t.oid
     where a.atttypid in ('timestamptz'::regtype, 'timestamp'::regtype) and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by t.name`,
    [by],
  )
  await superuser.query('set session_replication_role = replica')
  // oxlint-disable-next-line no-await-in-loop -- one connection
  for (const { statement } of rows) await superuser.query(statement)
  await superuser.query('reset session_replication_role')
}
