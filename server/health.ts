import { Hono } from 'hono'
import type { Database } from '#backend/database/pool.ts'

/** `/healthz`: the process lives. `/readyz`: it can serve; the upgrade is done before it listens, so the database decides. */
export function createHealth(database: Database): Hono {
  const app = new Hono()
  app.get('/healthz', (c) => c.json({ status: 'alive' }))
  app.get('/readyz', async (c) => {
    const isReady = await database.owner.query('select from supabase_migrations.releases limit 1').then(
      ({ rowCount }) => rowCount === 1,
      () => false, // Whatever the reason, the answer is the same; the lost connection is logged where it is noticed.
    )
    return isReady ? c.json({ status: 'ready' }) : c.json({ status: 'database does not answer' }, 503)
  })
  return app
}
