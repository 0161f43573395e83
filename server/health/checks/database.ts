import type { Pool } from 'pg'
import { failed, type HealthCheck, ok, warning } from '../finding.ts'

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

const ANSWERS = ok('The database answers.')
const SILENT = failed(
  'The database does not answer, so the shop is closed to buyers.',
  'Restart the shop. If that does not help, read the shop’s log and postgres.log in the data folder.',
)

/** As many requests again as there are connections: each waits for about one statement. */
const LONG_QUEUE = 20

/** Requests get a connection of the API pool. */
export function connectionsCheck(api: Pool, waiting = () => api.waitingCount): HealthCheck {
  return {
    component: 'connections',
    async check() {
      await api.query('select')
      const count = waiting()
      if (count <= LONG_QUEUE) return ok('Requests reach the database without waiting.')
      return warning(
        `The shop is very busy: ${count} requests are waiting for the database.`,
        'Wait for the rush to pass. If it stays like this, the machine is too small for the shop.',
      )
    },
  }
}
