import type { PlantedFault } from './fault.ts'

const healthTests = ['server/health/health-checks.test.ts']
const metricsTests = ['server/metrics/metrics.test.ts']
const taskTests = ['server/tasks.test.ts']
const alertTests = ['server/alerts/alert.test.ts']

/** What the owner, the proxy and the metrics hear of the shop, and when its tasks run. */
export const healthFaults: PlantedFault[] = [
  {
    rule: 'an alert is tried for a whole day without the database',
    file: 'server/alerts/direct-sender.ts',
    find: 'const GIVE_UP_AFTER_MS = 24 * 3_600_000',
    replace: 'const GIVE_UP_AFTER_MS = 24 * 3_600',
    tests: ['server/alerts/direct-sender.test.ts'],
  },
  {
    rule: 'an alert that mail and webhook refuse is not sent for ever',
    file: 'server/alerts/direct-sender.ts',
    find: 'Date.now() < each.giveUpAt ? each : null',
    replace: 'each',
    tests: ['server/alerts/direct-sender.test.ts'],
  },
  {
    rule: 'the System page shows the newest alerts',
    file: 'server/system/system-report.ts',
    find: 'order by raised_at desc limit 20',
    replace: 'order by raised_at limit 20',
    tests: ['test/contracts/system.contract.test.ts'],
  },
  {
    rule: 'the all-clear is sent once a component has worked for ten minutes',
    file: 'server/alerts/alert.ts',
    find: 'const CLEAR_AFTER_MS = 10 *',
    replace: 'const CLEAR_AFTER_MS = 3 *',
    tests: alertTests,
  },
  {
    rule: 'the all-clear is sent within four hours, however often the component failed before',
    file: 'server/alerts/alert.ts',
    find: 'LONGEST_CLEAR_MS = 4 * 60',
    replace: 'LONGEST_CLEAR_MS = 400 * 60',
    tests: alertTests,
  },
  {
    rule: 'the owner hears that requests wait for the database',
    file: 'server/health/checks/database.ts',
    find: 'count <= LONG_QUEUE',
    replace: 'count <= Infinity',
    tests: healthTests,
  },
  {
    rule: 'a full disk does not stop orders that are stored on another machine',
    file: 'server/health/checks/disk.ts',
    find: '  if (use.databaseUrl) return refusedWhenLow(use)\n',
    replace: '',
    tests: healthTests,
  },
  {
    rule: 'a shop whose database has a provider is not told that it makes no backups',
    file: 'server/health/checks/backups.ts',
    find: "  if (databaseUrl) return ok('The provider of the database makes the backups.')\n",
    replace: '',
    tests: healthTests,
  },
  {
    rule: 'a process that stops gets no more requests from the proxy',
    file: 'server/health/create-health.ts',
    find: "    if (parts.stopping?.aborted) return c.json({ status: 'stopping' }, 503)\n",
    replace: '',
    tests: healthTests,
  },
  {
    rule: 'a process without a database gets no requests from the proxy',
    file: 'server/health/create-health.ts',
    find: "components[DATABASE] === 'ok'",
    replace: 'components[DATABASE] !== undefined',
    tests: healthTests,
  },
  {
    rule: 'cached findings are not kept for ever',
    file: 'server/health/run-checks.ts',
    find: 'if (!newest || now - newest.at >= maxAgeMs)',
    replace: 'if (!newest)',
    tests: healthTests,
  },
  {
    rule: 'the time of the newest backup in the metrics is in seconds',
    file: 'server/metrics/shop-metrics.ts',
    find: 'momentOfBackup(name).getTime() / 1000',
    replace: 'momentOfBackup(name).getTime()',
    tests: metricsTests,
  },
  {
    rule: 'the metrics tell a failed component from one that needs a look',
    file: 'server/metrics/shop-metrics.ts',
    find: '{ ok: 0, warning: 1, failed: 2 }',
    replace: '{ ok: 0, warning: 2, failed: 1 }',
    tests: metricsTests,
  },
  {
    rule: 'the metrics say that the database is away',
    file: 'server/metrics/shop-metrics.ts',
    find: '(await count()) ? 1 : 0',
    replace: '(await count()) ? 1 : 1',
    tests: metricsTests,
  },
  {
    rule: 'unpaid orders expire within a minute of their time',
    file: 'server/tasks.ts',
    find: "expire_orders: { at: '* * * * *'",
    replace: "expire_orders: { at: '0 * * * *'",
    tests: taskTests,
  },
  {
    rule: 'a launch opens its sale within a minute',
    file: 'server/tasks.ts',
    find: "publish_products: { at: '* * * * *'",
    replace: "publish_products: { at: '0 * * * *'",
    tests: taskTests,
  },
  {
    rule: 'stock alerts are sent within a minute',
    file: 'server/tasks.ts',
    find: "queue_stock_alerts: { at: '* * * * *'",
    replace: "queue_stock_alerts: { at: '0 * * * *'",
    tests: taskTests,
  },
  {
    rule: 'lost jobs of payments are continued within ten minutes',
    file: 'server/tasks.ts',
    find: "restart_lost_jobs: { at: '*/10 * * * *'",
    replace: "restart_lost_jobs: { at: '10 * * * *'",
    tests: taskTests,
  },
  {
    rule: 'an unpaid order is reminded before it is cancelled',
    file: 'server/tasks.ts',
    find: "remind_unpaid_orders: { at: '*/10 * * * *'",
    replace: "remind_unpaid_orders: { at: '10 0 * * *'",
    tests: taskTests,
  },
  {
    rule: 'a backup is tested each week',
    file: 'server/tasks.ts',
    find: "test_restore: { at: '10 4 * * 0'",
    replace: "test_restore: { at: '10 4 1 * *'",
    tests: taskTests,
  },
]
