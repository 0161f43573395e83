import { Client } from 'pg'

/** Returns a hash of the rows of every table and the state of every sequence, and the settings and passwords of the server. */
export async function contentsOf(superuserUrl: string): Promise<Record<string, string>> {
  const client = new Client({ connectionString: superuserUrl })
  await client.connect()
  try {
    await client.query(`set timezone = 'UTC'`)
    const { rows } = await client.query<{ name: string; hash: string }>(HASHES)
    return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]))
  } finally {
    await client.end()
  }
}

/**
 * The feed holds what processes have not delivered yet, which no process of a later start waits for. Every start sets the rules and the
 * owner's password again.
 */
const HASHES = `
select c.oid::regclass::text as name, (xpath('/row/hash/text()', query_to_xml(format(
  'select count(*) || '' rows ''|| coalesce(md5(string_agg(md5(t::text), '','' order by md5(t::text))), '''') as hash from %s t',
  c.oid::regclass), false, true, '')))[1]::text as hash
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'realtime_feed') and c.relname <> 'shop_rules'
union all
select 'sequence ' || schemaname || '.' || sequencename, coalesce(last_value::text, 'unused')
from pg_sequences where schemaname <> 'realtime_feed'
union all
select concat_ws(' ', 'setting', r.rolname, d.datname), s.setconfig::text
from pg_db_role_setting s left join pg_roles r on r.oid = s.setrole left join pg_database d on d.oid = s.setdatabase
union all
select 'password ' || rolname, coalesce(rolpassword, 'none') from pg_authid where rolname !~ '^(pg_|postgres$)'
order by 1`
