import { type Aggregator, Gauge, type Registry } from 'prom-client'
import { z } from 'zod'
import { diskSpace, momentOfBackup, selectRows } from '@saltfreak/backend'
import { readBackupFolder } from '../health/backup-folder.ts'
import { type CheckedParts, healthChecks } from '../health/health-checks.ts'
import { cacheChecks } from '../health/run-checks.ts'

const countRow = z.object({ metric: z.string(), label: z.string(), count: z.coerce.number() })

/** Metrics by the name that `private.count_for_metrics` gives them. */
const COUNTED = {
  orders: ['shop_orders', 'Orders by status.', 'status'],
  payments: ['shop_payments', 'Payments by outcome.', 'outcome'],
  mails: ['shop_mails', 'E-mails by status.', 'status'],
  jobs: [
    'shop_jobs',
    'Background jobs: all that wait, those that are late, and those that failed for good.',
    'state',
  ],
} as const

/** Adds what the database counts, in one statement for each scrape. Without the database, these metrics are absent. */
export function addCounts(register: Registry, { owner }: CheckedParts['database']): void {
  let running: Promise<z.infer<typeof countRow>[] | null> | undefined
  // All collectors of a scrape run at once and share the statement.
  const count = () => {
    running ??= selectRows(owner, countRow, ['select * from private.count_for_metrics()'])
      .catch(() => null)
      .finally(() => (running = undefined))
    return running
  }
  for (const [metric, [name, help, label]] of Object.entries(COUNTED)) {
    addGauge(register, {
      name,
      help,
      labelNames: [label],
      aggregator: 'max',
      async collect(gauge) {
        const rows = await count()
        gauge.reset()
        for (const row of rows ?? []) if (row.metric === metric) gauge.set({ [label]: row.label }, row.count)
      },
    })
  }
  addGauge(register, {
    name: 'shop_database_up',
    help: '1 while the database answers.',
    aggregator: 'min',
    collect: async (gauge) => gauge.set((await count()) ? 1 : 0),
  })
}

const LEVELS = { ok: 0, warning: 1, failed: 2 }
/** Scrapers ask every 15 seconds or less often. */
const MAX_AGE_MS = 5000

/** Adds the findings of the health checks. */
export function addHealth(register: Registry, parts: CheckedParts): void {
  const findings = cacheChecks(healthChecks(parts), MAX_AGE_MS)
  addGauge(register, {
    name: 'shop_component_state',
    help: 'State of each component: 0 ok, 1 warning, 2 failed.',
    labelNames: ['component'],
    aggregator: 'max',
    async collect(gauge) {
      for (const { component, state } of await findings()) gauge.set({ component }, LEVELS[state])
    },
  })
}

export function addPools(register: Registry, { owner, api }: CheckedParts['database']): void {
  addGauge(register, {
    name: 'shop_pool_connections',
    help: 'Database connections by pool and state; waiting counts the requests for one.',
    labelNames: ['pool', 'state'],
    async collect(gauge) {
      for (const [pool, counts] of Object.entries({ owner, api })) {
        gauge.set({ pool, state: 'busy' }, counts.totalCount - counts.idleCount)
        gauge.set({ pool, state: 'idle' }, counts.idleCount)
        gauge.set({ pool, state: 'waiting' }, counts.waitingCount)
      }
    },
  })
}

export function addDisk(register: Registry, dataDir: string): void {
  addGauge(register, {
    name: 'shop_disk_bytes',
    help: 'Space of the disk that holds the data folder.',
    labelNames: ['kind'],
    aggregator: 'min',
    async collect(gauge) {
      const space = await diskSpace(dataDir).catch(() => null)
      if (space) gauge.set({ kind: 'free' }, space.freeBytes)
      if (space) gauge.set({ kind: 'all' }, space.totalBytes)
    },
  })
}

export function addBackups(register: Registry, place: Parameters<typeof readBackupFolder>[0]): void {
  addGauge(register, {
    name: 'shop_newest_backup_timestamp_seconds',
    help: 'When the newest backup was begun; absent without one.',
    aggregator: 'max',
    async collect(gauge) {
      gauge.remove()
      const name = (await readBackupFolder(place).catch(() => null))?.names.at(-1)
      if (name) gauge.set(momentOfBackup(name).getTime() / 1000)
    },
  })
}

interface CacheSize {
  entries: number
  bytes: number
}

export function addCaches(register: Registry, sizes: () => Record<string, CacheSize>): void {
  const helps = { entries: 'Entries in memory by cache.', bytes: 'Approximate memory use by cache.' }
  for (const measure of ['entries', 'bytes'] as const) {
    addGauge(register, {
      name: `shop_cache_${measure}`,
      help: helps[measure],
      labelNames: ['cache'],
      async collect(gauge) {
        for (const [cache, size] of Object.entries(sizes())) gauge.set({ cache }, size[measure])
      },
    })
  }
}

interface GaugeOptions {
  name: string
  help: string
  labelNames?: string[]
  /** How the values of several processes become one; `sum` by default. */
  aggregator?: Aggregator
  /** Runs for each scrape; must not reject, or the whole scrape fails. */
  collect(this: void, gauge: Gauge): Promise<void>
}

function addGauge(register: Registry, { collect, labelNames = [], ...options }: GaugeOptions): void {
  const gauge: Gauge = new Gauge({
    ...options,
    labelNames,
    registers: [register],
    collect: () => collect(gauge),
  })
}
