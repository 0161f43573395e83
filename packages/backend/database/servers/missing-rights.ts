import type { Client } from 'pg'
import { z } from 'zod'
import { DatabaseProblem } from '../database-problem.ts'
import { selectRow, selectRows } from '../select-rows.ts'

const serverRow = z.object({ version: z.number(), name: z.string(), encoding: z.string() })
const statementRow = z.object({ statement: z.string() })
const extensionRow = z.object({ name: z.string() })

const OLDEST = 150_000

/**
 * Throws a DatabaseProblem with everything that the user of `client` lacks to prepare the database, as SQL that the server's
 * administrator can paste. The roles' attributes are those of `roles/20_roles.sql`.
 */
export async function requireRights(client: Client, extensions: string[]): Promise<void> {
  const server = await selectRow(client, serverRow, [
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as name,
       current_setting('server_encoding') as encoding`,
  ])
  if (server.version < OLDEST) {
    throw new DatabaseProblem(
      `the database server is PostgreSQL ${server.name}: version 15 or newer is required`,
    )
  }
  if (server.encoding !== 'UTF8') {
    throw new DatabaseProblem(
      `the database has the encoding ${server.encoding}: create one with encoding 'UTF8'`,
    )
  }
  const absent = await selectRows(client, extensionRow, [
    `select name from unnest($1::text[]) as name where not exists (select from pg_available_extensions e where e.name = name.name)`,
    extensions,
  ])
  if (absent.length > 0) {
    const names = absent.map(({ name }) => name).join(', ')
    throw new DatabaseProblem(
      `the database server lacks the extensions ${names}: install them (on Debian, the package postgresql-contrib)`,
    )
  }
  const missing = await selectRows(client, statementRow, [MISSING, extensions])
  if (missing.length === 0) return
  throw new DatabaseProblem(
    [
      'the database user lacks rights: let an administrator of the server run this in the database',
      ...missing.map(({ statement }) => `  ${statement};`),
    ].join('\n'),
  )
}

/**
 * One row per missing right. A superuser lacks none. Which roles a user with CREATEROLE may create and grant differs: before 16, it
 * grants every role, but only a superuser creates one with BYPASSRLS; since 16, only members with ADMIN OPTION grant a role, such as its
 * creator. If an administrator must help with one of them since 16, the administrator creates all that are absent.
 */
const MISSING = `
with me as (
  select *, current_setting('server_version_num')::int >= 160000 as is_newer
  from pg_roles where rolname = current_user
), wanted (name, attributes) as (
  values ('anon', 'nologin noinherit'), ('authenticated', 'nologin noinherit'), ('service_role', 'nologin noinherit bypassrls'),
    ('authenticator', 'login noinherit'), ('postgres', 'nologin'), ('supabase_admin', 'nologin noinherit'),
    ('supabase_auth_admin', 'nologin noinherit'), ('supabase_storage_admin', 'nologin noinherit'),
    ('supabase_realtime_admin', 'nologin noinherit'), ('dashboard_user', 'nologin')
), memberships (granted, member) as (
  select granted, member
  from unnest(array['anon', 'authenticated', 'service_role']) as granted,
    unnest(array['authenticator', 'postgres', current_user::text]) as member
  union select 'authenticator', unnest(array['postgres', current_user::text])
), ungranted as (
  -- Null: the role is absent, and its creator grants it.
  select m.*, case
      when not me.rolcreaterole then false
      when not me.is_newer then true
      when g.oid is not null then pg_has_role(g.oid, 'set with admin option')
    end as may_grant
  from memberships m cross join me
  left join pg_roles g on g.rolname = m.granted
  left join pg_roles u on u.rolname = m.member
  where m.granted <> m.member
    and not coalesce(pg_has_role(u.oid, g.oid, case when me.is_newer then 'set' else 'member' end), false)
), absent as (
  select w.*, me.rolcreaterole and case
      when me.is_newer then not exists (select from ungranted where not may_grant)
      else attributes !~ 'bypassrls'
    end as will_create
  from wanted w cross join me where not exists (select from pg_roles r where r.rolname = w.name)
), timeouts (name, setting) as (
  values ('anon', $$statement_timeout = '3s'$$), ('authenticated', $$statement_timeout = '8s'$$),
    ('authenticator', $$statement_timeout = '8s'$$), ('authenticator', $$lock_timeout = '8s'$$)
), missing (part, statement) as (
  select 1, format('alter role %I bypassrls', rolname) from me where not rolbypassrls
  union all
  select 2, format('create role %I %s', name, attributes) from absent where not will_create
  union all
  select 3, format('grant %I to %I', granted, member) from ungranted
  where not coalesce(may_grant, granted in (select name from absent where will_create))
  union all
  select 4, format('alter role %I set %s', name, setting)
  from timeouts t cross join me left join pg_roles r on r.rolname = t.name
  where not exists (
      select from pg_db_role_setting s join pg_roles a on a.oid = s.setrole
      where a.rolname = 'anon' and s.setconfig::text like '%statement_timeout%')
    and name not in (select name from absent where will_create)
    and not (me.rolcreaterole
      and (not me.is_newer or coalesce(pg_has_role(r.oid, 'set with admin option'), false)))
  union all
  select 5, format('grant create, temporary on database %I to %I', current_database(), current_user)
  where not has_database_privilege(current_database(), 'create')
  union all
  select 6, format('grant create, usage on schema public to %I', current_user)
  where to_regnamespace('public') is not null and not has_schema_privilege('public', 'create')
  union all
  select 7, format('create schema if not exists extensions; create extension %I with schema extensions', name)
  from unnest($1::text[]) as name
  where not exists (select from pg_extension e where e.extname = name)
    and not exists (select from pg_available_extension_versions v where v.name = name.name and v.trusted)
)
select statement from missing, me where not me.rolsuper order by part, statement`
