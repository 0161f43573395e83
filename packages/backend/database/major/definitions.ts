import type { ClientBase } from 'pg'
import { z } from 'zod'
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

/** Returns what one database defines and the other lacks, such as an index that the operator has added. */
export async function missingDefinitions(source: ClientBase, target: ClientBase): Promise<string[]> {
  const [wanted, existing] = await Promise.all(
    [source, target].map(async (client) => {
      const rows = await selectRows(client, nameRow, [DEFINITIONS])
      return rows.map(({ name }) => name).filter((name) => !isDynamic(name))
    }),
  )
  const found = new Set(existing)
  return wanted?.filter((name) => !found.has(name)) ?? []
}

/** Processes create these triggers when they start. */
function isDynamic(name: string): boolean {
  const [, trigger = ''] = /^trigger (\S+) on /.exec(name) ?? []
  return backendSource.isDynamicTrigger(trigger)
}
