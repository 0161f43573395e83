import type { Worker } from 'node:cluster'
import { noteCrash, type Store } from '@saltfreak/backend'
import { loadHealthWatch } from '../load-shop.ts'
import { createMetricsCollector } from '../metrics/collect-metrics.ts'
import { forkShop, prepareForks } from './fork-shop.ts'
import { keepProcesses } from './keep-processes.ts'
import type { FromChild } from './messages.ts'
import { announce, welcomeFirstAdmin } from './prepared-store.ts'
import type { Close, ShopStart } from './shop-start.ts'

/** How long stopping the children may take, besides the delay of the settings. */
export const STOP_CHILDREN_MS = 5000

/**
 * Runs the shop in several processes. This one serves no requests and runs no jobs: it runs PostgreSQL, keeps the backups, alerts
 * the owner, and replaces processes that end.
 */
export async function superviseShop(start: ShopStart, store: Store): Promise<Close> {
  const { settings, log } = start
  await welcomeFirstAdmin(start, store)
  const waiting = new Map<Worker, number>()
  const metrics = createMetricsCollector()

  function receive(worker: Worker, message: FromChild): void {
    if (message.kind === 'alive') waiting.set(worker, message.waiting)
    else metrics.receive(worker, message)
  }
  prepareForks(settings.processes)
  const children = await keepProcesses({
    count: settings.processes,
    start: () =>
      forkShop({
        stopTimeoutMs: settings.stopDelayMs + STOP_CHILDREN_MS,
        onMessage: receive,
        onEnd(child) {
          waiting.delete(child)
          metrics.noteEnd(child)
        },
      }),
    log,
    onCrash: () => void noteCrash(settings.dataDir, 'one of several processes'),
  })
  const watch = await startHealthWatch(start, store, () => Math.max(0, ...waiting.values()))
  await announce(start, store)
  return async () => {
    await Promise.all([children.stop(), watch?.stop()])
    await store.stop()
  }
}

/** Alerts are for the machine that runs the jobs: a second one would send the same. */
async function startHealthWatch(start: ShopStart, { database }: Store, waitingRequests: () => number) {
  const { settings, files, log, isCopy, projectFolder } = start
  if (isCopy || settings.role === 'web') return null
  const watch = await loadHealthWatch({ settings, database, files, log, waitingRequests }, projectFolder)
  return watch.start()
}
