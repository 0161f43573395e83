/**
 * The queries that read PostgreSQL's catalogue, and their rows. They run with an empty search_path, so that types and defaults are fully
 * qualified and independent of a request's path.
 */

import type { PoolClient } from 'pg'
import { z } from 'zod'

import { asBoolean, selectRow, selectValue } from '#backend/database/select-rows.ts'

const relationRow = z.object({
  oid: z.number(),
  schema: z.string(),
  name: z.string(),
  isView: z.boolean(),
  columns: z.array(
    z.object({ number: z.number(), name: z.string(), type: z.string(), default: z.string().nullable() }),
  ),
})

const keyRow = z.object({
  kind: z.enum(['primary', 'unique', 'foreign']),
  name: z.string(),
  relation: z.number(),
  columns: z.array(z.number()),
  /** Zero, and empty columns, unless it is a foreign key. */
  target: z.number(),
  targetColumns: z.array(z.number()),
})

const viewRow = z.object({
  oid: z.number(),
  /** The view's query as PostgreSQL stores it: a node tree as text. */
  rule: z.string(),
})

const field = z.object({ name: z.string(), type: z.string() })

const routineRow = z.object({
  schema: z.string(),
  name: z.string(),
  volatility: z.enum(['i', 's', 'v']),
  isSet: z.boolean(),
  estimatedRows: z.number(),
  returnsVoid: z.boolean(),
  returnsRow: z.boolean(),
  /** The relation whose row type is returned, or zero. */
  resultRelation: z.number(),
  /** The relation whose row is the only argument, or zero. */
  argumentRelation: z.number(),
  arguments: z.array(field.extend({ isRequired: z.boolean(), isVariadic: z.boolean() })),
  outputs: z.array(field),
})

const catalogueRows = z.object({
  transaction: z.string(),
  relations: z.array(relationRow),
  keys: z.array(keyRow),
  views: z.array(viewRow),
  routines: z.array(routineRow),
  types: z.array(z.object({ schema: z.string(), name: z.string() })),
  roleSettings: z.array(z.object({ role: z.string(), name: z.string(), value: z.string() })),
  allowsAggregates: z.boolean(),
})

export type RelationRow = z.infer<typeof relationRow>
export type KeyRow = z.infer<typeof keyRow>
export type RoutineRow = z.infer<typeof routineRow>
export type CatalogueRows = z.infer<typeof catalogueRows>

export async function readSystemCatalogue(client: PoolClient, searchPath: string[]): Promise<CatalogueRows> {
  await client.query(`begin read only`)
  try {
    // Compiling the query takes longer than running it.
    await client.query(`select set_config('search_path', '', true), set_config('jit', 'off', true)`)
    return await selectRow(client, catalogueRows, [CATALOGUE, searchPath])
  } finally {
    await client.query('rollback')
  }
}

/** Returns whether the catalogue has changed since the transaction that read the schema. */
export function hasChangedSince(client: PoolClient, transaction: string): Promise<boolean> {
  return selectValue(client, asBoolean, [CHANGED_SINCE, transaction])
}

/** The base types of domains; `pg_basetype` needs PostgreSQL 17. */
const DOMAINS = `
  with recursive domains (oid, base) as (
    select oid, typbasetype from pg_type where typtype = 'd'
    union all
    select d.oid, t.typbasetype from domains d join pg_type t on t.oid = d.base where t.typtype = 'd'
  )`

const RELATIONS = `${DOMAINS}
  select coalesce(json_agg(r), '[]')
  from (
    select c.oid::int8 as oid, n.nspname as schema, c.relname as name, c.relkind in ('v', 'm') as "isView",
      (
        select coalesce(json_agg(json_build_object(
          'number', a.attnum,
          'name', a.attname,
          'type', case when vector.oid is not null then 'tsvector' else format_type(a.atttypid, a.atttypmod) end,
          'default', case
            when a.attidentity <> '' then (
              select format('nextval(%L::regclass)', s.objid::regclass)
              from pg_depend s
              where s.classid = 'pg_class'::regclass and s.refclassid = 'pg_class'::regclass and s.deptype = 'i'
                and s.refobjid = a.attrelid and s.refobjsubid = a.attnum
            )
            when a.attgenerated = '' then coalesce(pg_get_expr(d.adbin, d.adrelid), pg_get_expr(t.typdefaultbin, 0))
          end
        ) order by a.attnum), '[]')
        from pg_attribute a
        join pg_type t on t.oid = a.atttypid
        left join domains vector on vector.oid = t.oid and vector.base = 'tsvector'::regtype
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      ) as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f')
      and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
      and not c.relispartition
  ) r`

const KEYS = `
  select coalesce(json_agg(k order by k.name), '[]')
  from (
    select case contype when 'p' then 'primary' when 'u' then 'unique' else 'foreign' end as kind,
      conname as name, conrelid::int8 as relation, conkey as columns,
      confrelid::int8 as target, coalesce(confkey, '{}') as "targetColumns"
    from pg_constraint
    where contype in ('p', 'u', 'f') and conparentid = 0
      and connamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
  ) k`

const VIEWS = `
  select coalesce(json_agg(v), '[]')
  from (
    select c.oid::int8 as oid, r.ev_action as rule
    from pg_rewrite r
    join pg_class c on c.oid = r.ev_class
    join pg_namespace n on n.oid = c.relnamespace
    where r.rulename = '_RETURN' and n.nspname not in ('pg_catalog', 'information_schema')
  ) v`

const ROUTINES = `${DOMAINS}
  select coalesce(json_agg(f order by f.schema, f.name, f.oid), '[]')
  from (
    select p.oid, n.nspname as schema, p.proname as name, p.provolatile as volatility, p.proretset as "isSet",
      p.prorows as "estimatedRows",
      p.prorettype = 'pg_catalog.void'::regtype as "returnsVoid",
      t.typtype = 'c' or coalesce(p.proargmodes::text[] && '{o,b,t}', false) as "returnsRow",
      t.typrelid::int8 as "resultRelation",
      case when p.pronargs = 1 then coalesce(argument.typrelid, 0)::int8 else 0 end as "argumentRelation",
      (
        select coalesce(json_agg(json_build_object(
          'name', coalesce(p.proargnames[input.position], ''),
          'type', format_type(input.type, null),
          'isRequired', input.number <= p.pronargs - p.pronargdefaults,
          'isVariadic', coalesce(input.mode = 'v', false)
        ) order by input.number), '[]')
        from (
          select position, type, mode, row_number() over (order by position) as number
          from unnest(coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargmodes::text[])
            with ordinality as argument (type, mode, position)
          where coalesce(mode, 'i') in ('i', 'b', 'v')
        ) input
      ) as arguments,
      (
        select coalesce(json_agg(json_build_object('name', coalesce(p.proargnames[position], ''), 'type', format_type(type, null))
          order by position), '[]')
        from unnest(p.proallargtypes, p.proargmodes::text[]) with ordinality as output (type, mode, position)
        where mode in ('o', 'b', 't')
      ) as outputs
    from pg_proc p
    join pg_namespace n on n.oid = p.pronamespace
    left join domains result on result.oid = p.prorettype
      and not exists (select from domains inner_domain where inner_domain.oid = result.base)
    join pg_type t on t.oid = coalesce(result.base, p.prorettype)
    left join pg_type argument on argument.oid = p.proargtypes[0]
    where p.prokind = 'f' and n.nspname = any($1)
      and p.prorettype not in ('pg_catalog.trigger'::regtype, 'pg_catalog.event_trigger'::regtype)
  ) f`

const TYPES = `
  select coalesce(json_agg(json_build_object('schema', n.nspname, 'name', t.typname)), '[]')
  from pg_type t
  join pg_namespace n on n.oid = t.typnamespace
  where t.typtype in ('b', 'd', 'e', 'r', 'm', 'c') and (n.nspname = 'pg_catalog' or n.nspname = any($1))`

/** The role's setting in this database comes last and wins. */
const ROLE_SETTINGS = `
  select coalesce(json_agg(json_build_object(
    'role', r.rolname,
    'name', known.name,
    'value', substr(entry, strpos(entry, '=') + 1)
  ) order by s.setdatabase), '[]')
  from pg_db_role_setting s
  join pg_roles r on r.oid = s.setrole
  cross join unnest(s.setconfig) as entry
  join pg_settings known on known.name = split_part(entry, '=', 1) and known.context = 'user'
  where s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
    and r.rolname in ('anon', 'authenticated', 'service_role', 'authenticator')
    and known.name not in ('search_path', 'role')`

/** Precedence: the role's setting in this database, the role's, the database's. */
const AGGREGATES_ENABLED = `
  select coalesce((
    select lower(split_part(entry, '=', 2)) in ('true', 'on', 'yes', '1')
    from pg_db_role_setting s
    cross join unnest(s.setconfig) as entry
    where split_part(entry, '=', 1) = 'pgrst.db_aggregates_enabled'
      and s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
      and s.setrole in (0, (select oid from pg_roles where rolname = 'authenticator'))
    order by s.setrole = 0, s.setdatabase = 0
    limit 1
  ), false)`

const CATALOGUE = `
  select pg_snapshot_xmin(pg_current_snapshot())::xid::text as transaction,
    (${RELATIONS}) as relations, (${KEYS}) as keys, (${VIEWS}) as views, (${ROUTINES}) as routines,
    (${TYPES}) as types, (${ROLE_SETTINGS}) as "roleSettings", (${AGGREGATES_ENABLED}) as "allowsAggregates"`

// xmin is the transaction that wrote a row version; age() compares across transaction id wraparound.
const CHANGED_SINCE = `
  select exists (select from pg_class where age(xmin) <= age($1::xid))
    or exists (select from pg_attribute where age(xmin) <= age($1::xid))
    or exists (select from pg_constraint where age(xmin) <= age($1::xid))
    or exists (select from pg_proc where age(xmin) <= age($1::xid))`
