import type { ClientBase } from 'pg'
import { z } from 'zod'
import { asNumber, selectRows, selectValues } from '../select-rows.ts'
import { type RemovableObject, recordedObject } from './records.ts'
import type { Source } from './source.ts'

const existingObject = recordedObject.omit({ hash: true }).extend({ name: z.string() })

/**
 * Returns the removable code and grants in the sources' schemas, except functions with an identity in `excluded`, objects of
 * extensions, triggers that are created at run time, and grants on schemas.
 */
export async function findExistingCode(
  client: ClientBase,
  sources: Source[],
  excluded: string[],
): Promise<RemovableObject[]> {
  const schemas = sources.flatMap((source) => source.schemas)
  const functions = await functionsAmong(client, excluded)
  const objects = await selectRows(client, existingObject, [EXISTING_CODE, schemas, functions])
  return objects.filter(
    ({ kind, name }) => kind !== 'trigger' || !sources.some((source) => source.isDynamicTrigger(name)),
  )
}

/** Returns the oids of the identities that are existing functions. */
function functionsAmong(client: ClientBase, identities: string[]): Promise<number[]> {
  const names = identities.flatMap((identity) => /^(?:function|procedure) (.*)$/.exec(identity)?.[1] ?? [])
  return selectValues(client, asNumber, [
    'select to_regprocedure(name)::oid from unnest($1::text[]) name where to_regprocedure(name) is not null',
    names,
  ])
}

/** `pg_identify_object` returns the keyword of a `comment on` statement, except for these types. */
const COMMENT_TYPE = `
  case when i.type in ('table column', 'view column', 'materialized view column', 'composite type column') then 'column'
    when i.type in ('table constraint', 'domain constraint') then 'constraint'
    else i.type end`

const EXISTING_CODE = `
  with spaces as (select oid, nspname from pg_namespace where nspname = any ($1)),
  relations as (
    select c.oid, c.relkind, c.relowner, c.relacl, format('%I.%I', s.nspname, c.relname) as name
    from pg_class c join spaces s on s.oid = c.relnamespace
    where not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
  ),
  routines as (
    select p.oid, p.prokind, p.proowner, p.proacl,
      format('%I.%I(%s)', s.nspname, p.proname, pg_get_function_identity_arguments(p.oid)) as name
    from pg_proc p join spaces s on s.oid = p.pronamespace
    where not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  ),
  rights as (
    select 'table' as type, r.name, null::name as attname, a.grantee, a.privilege_type
    from relations r, aclexplode(r.relacl) a where r.relkind <> 'S' and a.grantee <> r.relowner
    union all
    select 'sequence', r.name, null, a.grantee, a.privilege_type
    from relations r, aclexplode(r.relacl) a where r.relkind = 'S' and a.grantee <> r.relowner
    union all
    select 'table', r.name, c.attname, a.grantee, a.privilege_type
    from relations r join pg_attribute c on c.attrelid = r.oid and not c.attisdropped, aclexplode(c.attacl) a
    where a.grantee <> r.relowner
    union all
    select 'routine', p.name, null, a.grantee, a.privilege_type
    from routines p, aclexplode(p.proacl) a where a.grantee <> p.proowner and a.grantee <> 0
  )
  select 'grant' as kind, '' as name,
    format('grant %s%s on %s to %s', lower(privilege_type), ' (' || attname || ')', name, grantee::regrole) as identity,
    format('revoke %s%s on %s %s from %s', privilege_type, case when attname is null then '' else format(' (%I)', attname) end,
      type, name, case grantee when 0 then 'public' else grantee::regrole::text end) as undo
  from rights
  union all
  select 'function', p.name,
    case p.prokind when 'p' then 'procedure ' else 'function ' end || p.oid::regprocedure,
    format('drop %s %s', case p.prokind when 'p' then 'procedure' else 'function' end, p.name)
  from routines p where p.prokind in ('f', 'p') and p.oid <> all ($2)
  union all
  select 'view', r.name, 'view ' || r.name, 'drop view ' || r.name from relations r where r.relkind = 'v'
  union all
  -- Finds triggers by their function, because some belong to tables of another source.
  select 'trigger', t.tgname, format('trigger %s on %s', t.tgname, t.tgrelid::regclass),
    format('drop trigger %I on %s', t.tgname, t.tgrelid::regclass)
  from pg_trigger t join pg_proc p on p.oid = t.tgfoid join spaces s on s.oid = p.pronamespace
  where not t.tgisinternal
  union all
  select 'policy', policyname, format('policy %s on %s.%s', policyname, schemaname, tablename),
    format('drop policy %I on %I.%I', policyname, schemaname, tablename)
  from pg_policies where schemaname in (select nspname from spaces)
  union all
  select 'comment', '', format('comment on %s %s', ${COMMENT_TYPE}, i.identity),
    format('comment on %s %s is null', ${COMMENT_TYPE}, i.identity)
  from pg_description d
    cross join lateral pg_identify_object(d.classoid, d.objoid, d.objsubid) i
    cross join lateral substring(i.identity, '([^. ]+)[.]') place
  where d.objoid >= 16384 and i.type not in ('extension', 'schema')
    and coalesce(i.schema, place) in (select nspname from spaces)`
