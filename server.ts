import cluster from 'node:cluster'
import { exitWithError, requireOpenFiles, type Store, stopOnce } from '@saltfreak/backend'
import { StartFailed } from '#server/processes/keep-processes.ts'
import { announce, welcomeFirstAdmin, withPreparedStore } from '#server/processes/prepared-store.ts'
import { runAsChild } from '#server/processes/run-as-child.ts'
import { serveShop } from '#server/processes/serve-shop.ts'
import { type Close, readShopStart, type ShopStart } from '#server/processes/shop-start.ts'
import { STOP_CHILDREN_MS, superviseShop } from '#server/processes/supervise-shop.ts'

const projectFolder = import.meta.dirname
const isDevelopment = process.argv.includes('--dev')
process.env.NODE_ENV ??= isDevelopment ? 'development' : 'production'

let stopDelayMs = 0
const stopping = new AbortController()

const opened = openShop()
stopOnce(
  async () => {
    stopping.abort()
    await (
      await opened
    )()
  },
  () => stopDelayMs,
)
// The process that failed has said why.
opened.catch((error: unknown) => (error instanceof StartFailed ? process.exit(1) : exitWithError(error)))

async function openShop(): Promise<Close> {
  const start = await readShopStart({ projectFolder, isDevelopment, stopping: stopping.signal })
  await requireOpenFiles()
  const { processes, stopDelayMs: delayMs } = start.settings
  stopDelayMs = delayMs
  if (cluster.isWorker) return runAsChild(start)
  if (processes === 1) return withPreparedStore(start, (store) => openAlone(start, store))
  stopDelayMs += STOP_CHILDREN_MS
  return withPreparedStore(start, (store) => superviseShop(start, store))
}

function openAlone(start: ShopStart, store: Store): Promise<Close> {
  return serveShop(start, store, {
    prepare: () => welcomeFirstAdmin(start, store),
    announce: () => announce(start, store),
    watchesHealth: true,
  })
}
