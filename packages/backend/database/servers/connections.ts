import type { Client } from 'pg'
import { z } from 'zod'
import { DatabaseProblem } from '../database-problem.ts'
import { UNPOOLED_CONNECTIONS } from '../pool-sizes.ts'
import { selectRow } from '../select-rows.ts'

const limitsRow = z.object({ allowed: z.number(), setting: z.string(), used: z.number() })

/**
 * Throws when the server allows this user fewer connections than the shop opens. Returns a line when other programs leave too few at
 * the moment, else null.
 */
export async function checkConnections(client: Client, pooled: number): Promise<string | null> {
  const needed = pooled + UNPOOLED_CONNECTIONS
  const { allowed, setting, used } = await selectRow(client, limitsRow, [LIMITS])
  if (allowed < needed) {
    throw new DatabaseProblem(
      `the shop opens up to ${needed} connections to the database, but ${setting} allows ${allowed}: raise it, or set DATABASE_CONNECTIONS to ${Math.max(0, allowed - UNPOOLED_CONNECTIONS)} or less`,
    )
  }
  if (allowed - used >= needed) return null
  return `${used} of the ${allowed} connections that ${setting} allows are in use, and the shop opens up to ${needed}: raise it, or lower DATABASE_CONNECTIONS`
}

/** The tightest of the server's, the database's and the user's limit, and how many of it other programs use. */
const LIMITS = `
  select limits.allowed, limits.setting, limits.used::int
  from pg_roles r, pg_database d,
    lateral (
      select count(*) as used, count(*) filter (where datname = d.datname) as in_database,
        count(*) filter (where usename = r.rolname) as of_user
      from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
    ) as counts,
    lateral (values
      (current_setting('max_connections')::int - case when r.rolsuper then 0 else
        current_setting('superuser_reserved_connections')::int + coalesce(current_setting('reserved_connections', true)::int, 0) end,
        'max_connections', counts.used),
      (nullif(d.datconnlimit, -1), 'the connection limit of the database', counts.in_database),
      (nullif(r.rolconnlimit, -1), 'the connection limit of the database user', counts.of_user)
    ) as limits (allowed, setting, used)
  where r.rolname = current_user and d.datname = current_database() and limits.allowed is not null
  order by limits.allowed - limits.used
  limit 1`
