import { Client } from 'pg'

/** Returns the number of definitions, the rows by table and the upgrade records, without names that differ between releases. */
export async function fingerprint(url: string): Promise<Record<string, string>> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string; print: string }>(PRINTS)
    return Object.fromEntries(rows.map(({ name, print }) => [name, print]))
  } finally {
    await client.end()
  }
}

const OURS = `not in ('pg_catalog', 'information_schema', 'pg_toast')`

const PRINTS = `
select 'functions' as name, md5(string_agg(p.oid || p.proname || p.prosrc || coalesce(p.proacl::text, ''), ',' order by p.oid)) as print
from pg_proc p where pronamespace::regnamespace::text ${OURS}
union all
select 'columns', md5(string_agg(attrelid || attname || atttypid || attnotnull, ',' order by attrelid, attnum))
from pg_attribute join pg_class c on c.oid = attrelid where attnum > 0 and relnamespace::regnamespace::text ${OURS}
union all
select c.oid::regclass::text, (xpath('/row/print/text()', query_to_xml(format(
  case when relnamespace::regnamespace::text = 'supabase_migrations'
    then 'select count(*) || md5(string_agg(md5(t::text), '','' order by t::text)) as print from %s t'
    else 'select count(*) as print from %s' end, c.oid::regclass), false, true, '')))[1]::text
from pg_class c where relkind = 'r' and relnamespace::regnamespace::text ${OURS}
order by 1`
