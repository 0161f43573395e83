import { Client } from 'pg'

/** How often a waiting upgrade asks whom it waits for; well below the lock timeout. */
const ASK_EVERY_MS = 500

const BLOCKERS = `
  select a.pid, a.application_name as application, extract(epoch from clock_timestamp() - a.xact_start)::int as seconds,
    left(regexp_replace(a.query, '\\s+', ' ', 'g'), 100) as query
  from unnest(pg_blocking_pids($1)) as blocker
  join pg_stat_activity a on a.pid = blocker`

interface Blocker {
  pid: number
  application: string
  seconds: number | null
  query: string
}

export interface LockWatch {
  /** The processes that held the lock when the upgrade was last seen waiting. */
  blockers: Blocker[]
  stop(): Promise<void>
}

/** Notes whom the process `pid` of PostgreSQL waits for: after the lock timeout the database no longer knows. */
export function watchLocks(url: string, pid: number): LockWatch {
  const watch: LockWatch = { blockers: [], stop }
  let asking = Promise.resolve()
  let client: Client | null = null

  async function ask(): Promise<void> {
    if (!client) {
      client = new Client({ connectionString: url })
      client.on('error', () => undefined)
      await client.connect()
    }
    const { rows } = await client.query<Blocker>(BLOCKERS, [pid])
    if (rows.length) watch.blockers = rows
  }
  const timer = setInterval(() => {
    // The report is an extra: an upgrade does not fail because nothing can be learned about its locks.
    asking = asking.then(ask).catch(() => undefined)
  }, ASK_EVERY_MS)

  async function stop(): Promise<void> {
    clearInterval(timer)
    await asking
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
