import { Client } from 'pg'
import { z } from 'zod'

import { selectRows } from '#backend/database/select-rows.ts'

const objectRow = z.object({ key: z.string(), value: z.string() })

/**
 * Returns everything that SQL files define in a database, as text for comparing two databases: the key names the object
 * (`function public.place_order(jsonb)`, `column public.orders.total`), the value is its definition with owner and grants.
 *
 * Schemas of PostgreSQL, of extensions, of the job queue and of the upgrade's own records are left out, and so is data.
 * A missing list of grants reads as the default that PostgreSQL applies in its place.
 */
export async function snapshotCatalogue(url: string): Promise<Record<string, string>> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`set search_path = ''; set jit = off`)
    const objects = await selectRows(client, objectRow, [
      `with ${SHARED}\n${KINDS.join('\nunion all\n')}\norder by 1`,
    ])
    return Object.fromEntries(objects.map(({ key, value }) => [key, value]))
  } finally {
    await client.end()
  }
}

/** Returns the differences between two catalogues, one line per object: `- ` for the first, `+ ` for the second. */
export function catalogueDifferences(
  before: Record<string, string>,
  after: Record<string, string>,
): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted()
  return keys
    .filter((key) => before[key] !== after[key])
    .flatMap((key) => [
      ...(key in before ? [`- ${key}: ${before[key]}`] : []),
      ...(key in after ? [`+ ${key}: ${after[key]}`] : []),
    ])
}

const SHARED = `
  spaces as (
    select oid, nspname, nspowner, nspacl from pg_namespace
    where nspname !~ '^pg_'
      and nspname not in ('information_schema', 'graphile_worker', 'extensions', 'supabase_migrations')
  ),
  relations as (
    select c.*, s.nspname, format('%I.%I', s.nspname, c.relname) as name
    from pg_class c join spaces s on s.oid = c.relnamespace
  ),
  routines as (
    select p.*, p.oid::regprocedure::text as name
    from pg_proc p join spaces s on s.oid = p.pronamespace
  ),
  types as (
    select t.*, format('%I.%I', s.nspname, t.typname) as name
    from pg_type t join spaces s on s.oid = t.typnamespace
    where t.typtype in ('d', 'e', 'r')
      or t.typtype = 'c' and exists (select from pg_class c where c.oid = t.typrelid and c.relkind = 'c')
  )`

/** SQL that sorts grants, because their order depends on the statements. */
function grants(acl: string, type: string, role: string): string {
  return `(select coalesce(string_agg(item::text, ' ' order by item::text), 'none')
    from unnest(coalesce(${acl}, acldefault('${type}', ${role}))) item)`
}

function owner(role: string): string {
  return `'owner ' || ${role}::regrole`
}

/** SQL for the entries of one type; omits `parts` that are null. */
function kind(key: string, parts: string[], source: string): string {
  return `select ${key} as key, concat_ws(' | ', ${parts.join(', ')}) as value from ${source}`
}

const RELATION_KINDS = `case relkind when 'r' then 'table ' when 'p' then 'table ' when 'v' then 'view '
  when 'm' then 'materialized view ' when 'S' then 'sequence ' when 'f' then 'foreign table ' end`

const KINDS = [
  kind(`'schema ' || nspname`, [owner('nspowner'), grants('nspacl', 'n', 'nspowner')], 'spaces'),

  kind(
    `${RELATION_KINDS} || name`,
    [
      owner('relowner'),
      grants('relacl', 'r', 'relowner'),
      `'options ' || reloptions::text`,
      `case when relrowsecurity then 'row level security' end`,
      `case when relforcerowsecurity then 'forced row level security' end`,
      `case relpersistence when 'u' then 'unlogged' end`,
      `case when relreplident <> 'd' and relkind in ('r', 'p') then 'replica identity ' || relreplident::text end`,
      `(select 'partition of ' || i.inhparent::regclass || ' ' || coalesce(pg_get_expr(relations.relpartbound, relations.oid), '')
        from pg_inherits i where i.inhrelid = relations.oid)`,
      `case when relkind = 'p' then pg_get_partkeydef(oid) end`,
      `case when relkind in ('v', 'm') then pg_get_viewdef(oid) end`,
      `(select 'columns ' || string_agg(a.attname, ', ' order by a.attnum) from pg_attribute a
        where a.attrelid = relations.oid and a.attnum > 0 and not a.attisdropped and relkind <> 'S')`,
    ],
    `relations where relkind in ('r', 'p', 'v', 'm', 'f')`,
  ),

  kind(
    `'sequence ' || name`,
    [
      owner('relowner'),
      grants('relacl', 's', 'relowner'),
      `(select format('%s start %s increment %s between %s and %s cache %s cycle %s',
          s.seqtypid::regtype, s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcache, s.seqcycle)
        from pg_sequence s where s.seqrelid = relations.oid)`,
      `(select 'owned by ' || pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid)
        from pg_depend d
        where d.classid = 'pg_class'::regclass and d.objid = relations.oid and d.deptype in ('a', 'i')
          and d.refclassid = 'pg_class'::regclass)`,
    ],
    `relations where relkind = 'S'`,
  ),

  kind(
    `'column ' || r.name || '.' || a.attname`,
    [
      `format_type(a.atttypid, a.atttypmod)`,
      `case when a.attnotnull then 'not null' end`,
      `case a.attgenerated when 's' then 'generated' end`,
      `case a.attidentity when 'a' then 'identity always' when 'd' then 'identity by default' end`,
      `'default ' || (select pg_get_expr(d.adbin, d.adrelid) from pg_attrdef d
        where d.adrelid = a.attrelid and d.adnum = a.attnum)`,
      `(select 'collate ' || c.collname from pg_collation c, pg_type t
        where t.oid = a.atttypid and c.oid = a.attcollation and a.attcollation <> t.typcollation)`,
      `'grants ' || (select string_agg(item::text, ' ' order by item::text) from unnest(a.attacl) item)`,
      `'options ' || a.attoptions::text`,
      `'statistics ' || nullif(a.attstattarget, -1)`,
      `'compression ' || nullif(a.attcompression::text, '')`,
      `(select 'storage ' || a.attstorage::text from pg_type t where t.oid = a.atttypid and t.typstorage <> a.attstorage)`,
    ],
    `pg_attribute a join relations r on r.oid = a.attrelid
      where a.attnum > 0 and not a.attisdropped and r.relkind in ('r', 'p', 'v', 'm', 'f', 'c')`,
  ),

  kind(
    `'constraint ' || c.conname || ' on ' || coalesce(r.name, t.name)`,
    [
      `pg_get_constraintdef(c.oid)`,
      `case when not c.convalidated then 'not valid' end`,
      `case when not c.conislocal then 'inherited' end`,
    ],
    `pg_constraint c left join relations r on r.oid = c.conrelid left join types t on t.oid = c.contypid
      where c.contype not in ('t', 'n') and coalesce(r.name, t.name) is not null`,
  ),

  kind(
    `'index ' || r.name`,
    [
      `pg_get_indexdef(r.oid)`,
      `case when not i.indisvalid then 'not valid' end`,
      `case when i.indisreplident then 'replica identity' end`,
      `case when i.indisclustered then 'clustered' end`,
      `(select 'statistics ' || string_agg(a.attname || ' ' || a.attstattarget, ', ' order by a.attnum)
        from pg_attribute a where a.attrelid = r.oid and a.attstattarget > 0)`,
    ],
    `pg_index i join relations r on r.oid = i.indexrelid`,
  ),

  kind(
    `case p.prokind when 'a' then 'aggregate ' when 'p' then 'procedure ' else 'function ' end || p.name`,
    [
      owner('p.proowner'),
      grants('p.proacl', 'f', 'p.proowner'),
      // Parameters, result, language, volatility, security, settings, costs, support function and body.
      `case when p.prokind <> 'a' then pg_get_functiondef(p.oid) end`,
      `(select concat_ws(' ', g.aggtransfn, g.aggfinalfn, g.aggcombinefn, g.agginitval, g.aggtranstype::regtype)
        from pg_aggregate g where g.aggfnoid = p.oid)`,
    ],
    `routines p`,
  ),

  kind(
    `'trigger ' || t.tgname || ' on ' || r.name`,
    [
      `pg_get_triggerdef(t.oid)`,
      `case t.tgenabled when 'O' then null else 'enabled ' || t.tgenabled::text end`,
    ],
    `pg_trigger t join relations r on r.oid = t.tgrelid where not t.tgisinternal`,
  ),

  kind(
    `'rule ' || u.rulename || ' on ' || r.name`,
    [`pg_get_ruledef(u.oid)`],
    `pg_rewrite u join relations r on r.oid = u.ev_class where u.rulename <> '_RETURN'`,
  ),

  kind(
    `format('policy %I on %I.%I', p.policyname, p.schemaname, p.tablename)`,
    [
      `p.permissive`,
      `'for ' || p.cmd`,
      `(select 'to ' || string_agg(role::text, ', ' order by role::text) from unnest(p.roles) role)`,
      `'using ' || p.qual`,
      `'check ' || p.with_check`,
    ],
    `pg_policies p where p.schemaname in (select nspname from spaces)`,
  ),

  kind(
    `'type ' || t.name`,
    [
      owner('t.typowner'),
      grants('t.typacl', 'T', 't.typowner'),
      `(select string_agg(e.enumlabel, ', ' order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid)`,
      `case when t.typtype = 'd' then format_type(t.typbasetype, t.typtypmod) end`,
      `case when t.typnotnull then 'not null' end`,
      `'default ' || t.typdefault`,
      `(select concat_ws(' ', 'range of', g.rngsubtype::regtype, g.rngsubdiff)
        from pg_range g where g.rngtypid = t.oid)`,
      `(select 'columns ' || string_agg(a.attname, ', ' order by a.attnum) from pg_attribute a
        where a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped)`,
    ],
    `types t`,
  ),

  kind(
    `'statistics ' || format('%I.%I', s.nspname, x.stxname)`,
    [owner('x.stxowner'), `pg_get_statisticsobjdef(x.oid)`, `'target ' || nullif(x.stxstattarget, -1)`],
    `pg_statistic_ext x join spaces s on s.oid = x.stxnamespace`,
  ),

  kind(
    `'operator ' || o.oid::regoperator`,
    [owner('o.oprowner'), 'o.oprcode', 'o.oprrest', 'o.oprjoin'],
    `pg_operator o join spaces s on s.oid = o.oprnamespace`,
  ),

  kind(
    `'publication ' || p.pubname`,
    [
      owner('p.pubowner'),
      `concat_ws(' ', 'all tables', p.puballtables, 'insert', p.pubinsert, 'update', p.pubupdate,
        'delete', p.pubdelete, 'truncate', p.pubtruncate, 'via root', p.pubviaroot)`,
      `(select string_agg(concat_ws(' ', m.prrelid::regclass, m.prattrs,
          pg_get_expr(m.prqual, m.prrelid)), ', ' order by m.prrelid::regclass::text)
        from pg_publication_rel m where m.prpubid = p.oid)`,
      `(select 'schemas ' || string_agg(m.pnnspid::regnamespace::text, ', ' order by m.pnnspid::regnamespace::text)
        from pg_publication_namespace m where m.pnpubid = p.oid)`,
    ],
    `pg_publication p`,
  ),

  kind(
    `format('default privileges of %s on %s in %s', d.defaclrole::regrole, d.defaclobjtype,
      case d.defaclnamespace when 0 then 'all schemas' else d.defaclnamespace::regnamespace::text end)`,
    [
      `(select coalesce(string_agg(item::text, ' ' order by item::text), 'none') from unnest(d.defaclacl) item)`,
    ],
    `pg_default_acl d where d.defaclnamespace = 0 or d.defaclnamespace in (select oid from spaces)`,
  ),

  kind(
    `'event trigger ' || e.evtname`,
    [owner('e.evtowner'), 'e.evtevent', 'e.evtfoid::regprocedure', 'e.evtenabled', 'e.evttags'],
    `pg_event_trigger e`,
  ),

  kind(`'extension ' || e.extname`, ['e.extnamespace::regnamespace', 'e.extversion'], `pg_extension e`),

  kind(
    `'comment on ' || i.type || ' ' || i.identity`,
    ['d.description'],
    `pg_description d
      cross join lateral pg_identify_object(d.classoid, d.objoid, d.objsubid) i
      cross join lateral substring(i.identity, '([^. ]+)[.]') place
      where (d.objoid >= 16384 or i.identity = 'public') and i.type <> 'extension'
        and coalesce(i.schema, place, '') not in ('graphile_worker', 'extensions', 'supabase_migrations')
        and coalesce(place, '') not in ('graphile_worker', 'extensions', 'supabase_migrations')`,
  ),
]
