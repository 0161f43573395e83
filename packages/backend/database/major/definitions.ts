import type { ClientBase } from 'pg'
import { z } from 'zod'
import { DatabaseProblem } from '../database-problem.ts'
import { backendSource } from '../prepare-backend.ts'
import { selectRows } from '../select-rows.ts'

const nameRow = z.object({ name: z.string() })

/**
 * Every object, role and database that is not PostgreSQL's own (those have ids below 16384). Internal triggers have the id of their
 * constraint in their name. The records of upgrades are copied separately.
 */
const DEFINITIONS = `
  select i.type || ' ' || i.identity as name
  from (select distinct classid, objid from pg_depend where objid >= 16384) d
    cross join lateral pg_identify_object(d.classid, d.objid, 0) i
  where coalesce(i.schema, '') !~ '^pg_toast' and i.identity !~ '\\msupabase_migrations\\M'
    and not exists (select from pg_trigger t where d.classid = 'pg_trigger'::regclass and t.oid = d.objid and t.tgisinternal)
  union all
  select concat_ws(' ', 'role', rolname, rolsuper, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication, rolbypassrls, rolinherit, rolconnlimit)
  from pg_roles where rolname !~ '^pg_'
  union all
  select format('member %s of %s', member::regrole, roleid::regrole) from pg_auth_members
  union all
  select 'database ' || datname from pg_database
  order by 1`

/** How many of the definitions that prevent the move are named. */
const NAMED = 5

/** Throws when one database defines what the other lacks, such as an index that the operator has added. */
export async function requireSameDefinitions(source: ClientBase, target: ClientBase): Promise<void> {
  const missing = await missingDefinitions(source, target)
  if (missing.length === 0) return
  const names = missing.slice(0, NAMED).join(', ')
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : ''
  throw new DatabaseProblem(
    `the database defines what this version of the program does not: ${names}${more}. Remove them to move it`,
  )
}

/** Returns what one database defines and the other lacks. */
export async function missingDefinitions(source: ClientBase, target: ClientBase): Promise<string[]> {
  const [wanted = [], existing = []] = await Promise.all([source, target].map(definitionsOf))
  const found = new Set(existing)
  return wanted.filter((name) => !found.has(name))
}

async function definitionsOf(client: ClientBase): Promise<string[]> {
  const rows = await selectRows(client, nameRow, [DEFINITIONS])
  // Whether a type is named with its schema differs between versions.
  const names = rows.map(({ name }) => name.replaceAll('pg_catalog.', ''))
  return names.filter((name) => !isDynamic(name))
}

/** Processes create these triggers when they start. */
function isDynamic(name: string): boolean {
  const [, trigger = ''] = /^trigger (\S+) on /.exec(name) ?? []
  return backendSource.isDynamicTrigger(trigger)
}
