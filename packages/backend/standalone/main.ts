#!/usr/bin/env -S node --no-concurrent-sparkplug --no-maglev-build-code-on-background
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { join, resolve } from 'node:path'

import { loadClientKeys, type ClientKeys } from '#backend/auth/keys/client-keys.ts'
import { openDatabase, type DatabasePools } from '#backend/database/pool.ts'
import { prepareBackend } from '#backend/database/prepare-backend.ts'
import { urlsOf } from '#backend/database/servers/addresses.ts'
import { findPrimary } from '#backend/database/servers/find-primary.ts'
import { migrateJobs, startJobs } from '#backend/jobs/run-jobs.ts'
import { connectionOf } from '#backend/http/edge.ts'
import { createFolder } from '#backend/process/create-folder.ts'
import { InvalidSettings } from '#backend/process/invalid-settings.ts'
import { listenerFor } from '#backend/process/listener.ts'
import { closeWebServer, createWebServer, listen } from '#backend/process/listen.ts'
import { createLog } from '#backend/process/create-log.ts'
import { exitWithError } from '#backend/process/startup-error.ts'
import { stopOnce } from '#backend/process/stop-once.ts'
import { createStandalone, publicUrlOf } from './create-standalone.ts'
import type { Options } from './options.ts'
import { helpText, readOptions } from './read-options.ts'

/** Time for requests in flight when the process stops. */
const STOP_TIMEOUT_MS = 3000

try {
  const { command, options } = readOptions(process.argv.slice(2), process.env)
  switch (command) {
    case 'help':
      console.log(helpText())
      break
    case 'print-keys':
      await printKeys(options())
      break
    case 'serve': {
      const opened = serve(options())
      stopOnce(async () => (await opened)())
      await opened
    }
  }
} catch (error) {
  exitWithError(error)
}

async function serve(options: Options): Promise<() => Promise<void>> {
  let listener: RequestListener = respondUnavailable
  const web = createWebServer((request, response) => listener(request, response), {
    trustProxy: options.TRUST_PROXY,
  })
  // Listens before opening the database, so that a port in use fails fast.
  await listen(web, { host: options.HOST, port: options.PORT })
  await createDataFolder(options.DATA_DIR)

  const log = createLog()
  const closing = new AbortController()
  const { database, keys, isFirstStart } = await openBackend(options)
  const { api, tasks, crontab, serveSockets } = await createStandalone({
    options,
    database,
    keys,
    log,
    closing: closing.signal,
  })
  const jobs = await startJobs({ pool: database.owner, log, tasks, crontab })
  listener = listenerFor((request, { incoming }) => api.fetch(request, connectionOf(incoming)))
  const sockets = serveSockets(web)
  console.log(`The backend is listening at ${publicUrlOf(options)}${isFirstStart ? describeKeys(keys) : ''}`)

  return async () => {
    await Promise.all([closeWebServer(web, STOP_TIMEOUT_MS), sockets.close(), jobs.stop()])
    closing.abort()
    await database.close()
  }
}

async function createDataFolder(dataDir: string): Promise<void> {
  const path = join(resolve(dataDir), 'storage')
  await createFolder(path, 0o700).catch((error: NodeJS.ErrnoException) => {
    throw new InvalidSettings(`--data-dir: cannot create the folder ${path} (${error.code})`)
  })
}

function respondUnavailable(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, { 'Retry-After': '1' }).end()
}

interface OpenBackend {
  database: DatabasePools
  keys: ClientKeys
  /** The keys were just created. */
  isFirstStart: boolean
}

async function openBackend({ DATABASE_URL: url, ...options }: Options): Promise<OpenBackend> {
  const primary = await findPrimary(urlsOf(url))
  await prepareBackend(primary)
  const database = openDatabase(url, { primary })
  await migrateJobs(database.owner)
  const { rowCount } = await database.owner.query('select from auth.client_keys')
  const stored = await loadClientKeys(database.owner)
  const keys = {
    publishable: options.PUBLISHABLE_KEY ?? stored.publishable,
    secret: options.SECRET_KEY ?? stored.secret,
  }
  return { database, keys, isFirstStart: rowCount === 0 }
}

function describeKeys({ publishable, secret }: ClientKeys): string {
  return `\nNew keys (--print-keys shows them again):\n  publishable  ${publishable}\n  secret       ${secret}`
}

async function printKeys(options: Options): Promise<void> {
  const { database, keys } = await openBackend(options)
  console.log(JSON.stringify(keys))
  await database.close()
}
