import cluster from 'node:cluster'
import { openStore, type Store } from '@saltfreak/backend'
import { REPORT_INTERVAL_MS } from './fork-shop.ts'
import { tellSupervisor } from './messages.ts'
import { serveShop } from './serve-shop.ts'
import type { Close, ShopStart } from './shop-start.ts'

/** Serves the shop as one of several processes. The supervisor has prepared the database and runs the embedded PostgreSQL. */
export async function runAsChild(start: ShopStart): Promise<Close> {
  // Without it, Node would end this process at once when the supervisor ends, in the middle of a request.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
  let store: Store | null = null
  const report = () => tellSupervisor({ kind: 'alive', waiting: store?.database.api.waitingCount ?? 0 })
  setInterval(report, REPORT_INTERVAL_MS).unref()

  const { settings, application, log } = start
  const usesSharedDatabase = settings.databaseUrl === null
  store = await openStore({ ...settings, usesSharedDatabase }, application, log)
  return serveShop(start, store, {
    prepare: async () => {},
    announce: async () => tellSupervisor({ kind: 'ready' }),
    watchesHealth: false,
  })
}
