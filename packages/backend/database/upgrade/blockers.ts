import { Client } from 'pg'
import { z } from 'zod'
import { serverAddress } from '../servers/addresses.ts'
import { selectRows } from '../select-rows.ts'

/** Well below the lock timeout. */
const POLL_INTERVAL_MS = 500

const BLOCKERS = `
  select a.pid, a.application_name as application, extract(epoch from clock_timestamp() - a.xact_start)::int as seconds,
    left(regexp_replace(a.query, '\\s+', ' ', 'g'), 100) as query
  from unnest(pg_blocking_pids($1)) as blocker
  join pg_stat_activity a on a.pid = blocker`

/** PostgreSQL hides other roles' sessions from a user without `pg_read_all_stats`. */
const blocker = z.object({
  pid: z.number(),
  application: z.string().nullable(),
  seconds: z.number().nullable(),
  query: z.string().nullable(),
})

export interface LockWatch {
  /** Processes that blocked the upgrade at the last poll that found it waiting. */
  blockers: z.infer<typeof blocker>[]
  stop(): Promise<void>
}

/** Polls which sessions block the session `pid`: after a lock timeout, PostgreSQL does not report them. */
export function watchLocks(url: string, pid: number): LockWatch {
  const watch: LockWatch = { blockers: [], stop }
  let polling = Promise.resolve()
  let client: Client | null = null

  async function poll(): Promise<void> {
    if (!client) {
      client = new Client(serverAddress(url))
      client.on('error', () => undefined)
      await client.connect()
    }
    const blockers = await selectRows(client, blocker, [BLOCKERS, pid])
    if (blockers.length) watch.blockers = blockers
  }
  const timer = setInterval(() => {
    // Ignores errors: the report is optional and must not fail the upgrade.
    polling = polling.then(poll).catch(() => undefined)
  }, POLL_INTERVAL_MS)

  async function stop(): Promise<void> {
    clearInterval(timer)
    await polling
    await client?.end().catch(() => undefined)
  }
  return watch
}

export function describeBlockers({ blockers }: LockWatch): string {
  if (!blockers.length) return 'another process holds a lock'
  const lines = blockers.map(
    ({ pid, application, seconds, query }) =>
      `process ${pid}${application ? ` "${application}"` : ''} has held it for ${seconds ?? 0} s, last query: ${query}`,
  )
  return lines.join('; ')
}
