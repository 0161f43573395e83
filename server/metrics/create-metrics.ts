import { createHash, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { ListenerContext } from '@saltfreak/backend'
import { requireLoopback } from '../development.ts'
import type { CheckedParts } from '../health/health-checks.ts'
import { type CountRequest, measureRequests } from './request-metrics.ts'
import { shareMetrics } from './shared-metrics.ts'
import { addBackups, addCaches, addCounts, addDisk, addHealth, addPools } from './shop-metrics.ts'

export interface Metrics {
  /** `/metrics` in Prometheus' text format. */
  routes: Hono<{ Bindings: ListenerContext | undefined }>
  countRequest: CountRequest
  watchCaches(this: void, sizes: Parameters<typeof addCaches>[1]): void
}

/** Creates the metrics of this process. `/metrics` merges those of all processes of the machine. */
export function createMetrics({ settings, database, files }: CheckedParts): Metrics {
  const register = new Registry()
  collectDefaultMetrics({ register })
  // Gauges with the suffix of counters, which promtool rejects.
  for (const kind of ['handles', 'requests', 'resources'])
    register.removeSingleMetric(`nodejs_active_${kind}_total`)
  addCounts(register, database)
  addHealth(register, { settings, database, files })
  addPools(register, database)
  const { backup, dataDir } = settings
  addDisk(register, dataDir)
  if (backup) addBackups(register, { folder: backup.folder, dataDir })
  const readMetrics = shareMetrics(register)

  const routes = new Hono<{ Bindings: ListenerContext | undefined }>()
  routes.get('/metrics', requireToken(settings.metricsToken), async (c) =>
    c.body(await readMetrics(), 200, {
      'Content-Type': register.contentType,
      'Cache-Control': 'no-store',
    }),
  )
  return {
    routes,
    countRequest: measureRequests(register),
    watchCaches: (sizes) => addCaches(register, sizes),
  }
}

/** Without the token, only programs on this machine may read: the metrics tell competitors how much the shop sells. */
function requireToken(token: string | null) {
  return createMiddleware<{ Bindings: ListenerContext | undefined }>(async (c, next) => {
    const given = /^Bearer (\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1]
    const isKnown = token !== null && given !== undefined && timingSafeEqual(hash(given), hash(token))
    return isKnown ? next() : requireLoopback(c, next)
  })
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
