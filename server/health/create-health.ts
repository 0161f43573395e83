import { Hono } from 'hono'
import { DATABASE, healthChecks, type CheckedParts } from './health-checks.ts'
import { cacheChecks, shareRuns } from './run-checks.ts'

/** Shorter than the interval at which proxies and supervisors ask. */
const MAX_AGE_MS = 5000

/**
 * `/healthz`: the process is alive. `/readyz`: 200 when the shop can serve, with the state of each component; details are for
 * admins. 503 from the stop signal on. Upgrades finish before the server listens.
 */
export function createHealth(parts: CheckedParts): Hono {
  const checks = healthChecks(parts)
  const findDatabase = shareRuns(checks.filter(isDatabase))
  const findOthers = cacheChecks(
    checks.filter((check) => !isDatabase(check)),
    MAX_AGE_MS,
  )
  const app = new Hono()
  app.get('/healthz', (c) => c.json({ status: 'alive' }))
  app.get('/readyz', async (c) => {
    if (parts.stopping?.aborted) return c.json({ status: 'stopping' }, 503)
    const findings = (await Promise.all([findDatabase(), findOthers()])).flat()
    const components = Object.fromEntries(findings.map(({ component, state }) => [component, state]))
    const isReady = components[DATABASE] === 'ok'
    return isReady
      ? c.json({ status: 'ready', components })
      : c.json({ status: 'database does not answer', components }, 503)
  })
  return app
}

function isDatabase({ component }: { component: string }): boolean {
  return component === DATABASE
}
