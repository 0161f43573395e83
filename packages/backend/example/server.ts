/**
 * An application with one table, one function and one route of its own: `npm run example` runs it, with a PostgreSQL in ./data.
 */
import { join } from 'node:path'
import {
  type Application,
  closeWebServer,
  connectionOf,
  createBackend,
  createLog,
  createWebServer,
  filesOf,
  listen,
  listenerFor,
  openStore,
  startJobs,
  stopOnce,
} from '@saltfreak/backend'

const port = Number(process.env['PORT'] ?? 54_321)
const dataDir = 'data'
const log = createLog()

const application: Application = {
  release: { version: '1.0.0', compatibleFrom: '1.0.0' },
  sourceFor: (ownerRole) => ({
    name: 'notes',
    migrations: join(import.meta.dirname, 'migrations'),
    schema: join(import.meta.dirname, 'schema'),
    records: 'schema_migrations',
    schemas: ['public'],
    roleOf: () => ownerRole,
    managedByServer: [],
    isDynamicTrigger: () => false,
  }),
  finish: async () => {},
}

const store = await openStore({ databaseUrl: process.env['DATABASE_URL'] ?? null, dataDir }, application, log)
const { database, keys, closing } = store
const { api, tasks, crontab, serveSockets } = createBackend({
  database,
  keys,
  closing,
  log,
  files: filesOf(dataDir),
  publicUrl: `http://localhost:${port}`,
  trustProxy: 0,
  auth: { sendMail: async (_client, { kind, to }) => log.info({ kind, to }, 'a mail would be sent') },
  functions: { functions: {}, createContext: (caller) => ({ caller }) },
})
api.get('/hello', (c) => c.text('Hello from the notes.'))

const web = createWebServer(
  listenerFor((request, { incoming }) => api.fetch(request, connectionOf(incoming))),
  { trustProxy: 0 },
)
const jobs = await startJobs({ pool: database.owner, log, tasks, crontab })
const sockets = serveSockets(web)
await listen(web, { host: '127.0.0.1', port })
console.log(`The notes are at http://localhost:${port}, publishable key ${keys.publishable}`)

stopOnce(async () => {
  await Promise.all([closeWebServer(web, 3000), sockets.close(), jobs.stop()])
  await store.stop()
})
