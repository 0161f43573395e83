import type { Pool } from 'pg'
import type { Finding, HealthCheck } from '../finding.ts'

export const DATABASE = 'database'

/** The database answers and has this version's tables. Without it the shop cannot serve. */
export function databaseCheck(owner: Pool): HealthCheck {
  return {
    component: DATABASE,
    check: () =>
      owner.query('select from supabase_migrations.releases limit 1').then(
        ({ rowCount }) => (rowCount === 1 ? ANSWERS : SILENT),
        () => SILENT, // The pool logs lost connections.
      ),
  }
}

const ANSWERS: Finding = { component: DATABASE, state: 'ok', message: 'The database answers.' }
const SILENT: Finding = {
  component: DATABASE,
  state: 'failed',
  message: 'The database does not answer, so the shop is closed to buyers.',
  action: 'Restart the shop. If that does not help, read the shop’s log and postgres.log in the data folder.',
}

const CONNECTIONS = 'connections'
/** As many requests again as there are connections: each waits for about one statement. */
const LONG_QUEUE = 20

/** Requests get a connection of the API pool. */
export function connectionsCheck(api: Pool, waiting = () => api.waitingCount): HealthCheck {
  return {
    component: CONNECTIONS,
    async check() {
      await api.query('select')
      const count = waiting()
      if (count <= LONG_QUEUE)
        return {
          component: CONNECTIONS,
          state: 'ok',
          message: 'Requests reach the database without waiting.',
        }
      return {
        component: CONNECTIONS,
        state: 'warning',
        message: `The shop is very busy: ${count} requests are waiting for the database.`,
        action: 'Wait for the rush to pass. If it stays like this, the machine is too small for the shop.',
      }
    },
  }
}
