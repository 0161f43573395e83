import { Hono } from 'hono'
import type { DatabasePools } from '@saltfreak/backend'

/** `/healthz`: the process is alive. `/readyz`: the database answers. Upgrades finish before the server listens. */
export function createHealth(database: DatabasePools): Hono {
  const app = new Hono()
  app.get('/healthz', (c) => c.json({ status: 'alive' }))
  app.get('/readyz', async (c) => {
    const isReady = await database.owner.query('select from supabase_migrations.releases limit 1').then(
      ({ rowCount }) => rowCount === 1,
      () => false, // The pool logs lost connections.
    )
    return isReady ? c.json({ status: 'ready' }) : c.json({ status: 'database does not answer' }, 503)
  })
  return app
}
