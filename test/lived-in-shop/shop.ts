import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { pino } from 'pino'
import type { QueryResultRow } from 'pg'
import {
  type ClientKeys,
  closeWebServer,
  connectionOf,
  createWebServer,
  listen,
  listenerFor,
  openStore,
  claimDataFolder,
  filesOf,
  startJobs,
} from '@saltfreak/backend'
import { freePort, runDueJobs } from '@saltfreak/backend/testing'
import { paymentTasks } from '#payments/create-payments.ts'
import { createFirstAdmin, type FirstAdmin } from '#server/admins.ts'
import { createApi, createServices } from '#server/api.ts'
import { shopApplication } from '#server/prepare-database.ts'
import { syncPublicAddress } from '#server/public-address.ts'
import { syncRefundMethod } from '#server/refund-method.ts'
import { parseSettings, type Settings } from '#server/settings.ts'
import { createTasks } from '#server/tasks.ts'
import { type FakePayfast, fakePayfast } from '#test/fake-payfast.ts'
import { type TestMailServer, startMailServer } from '#test/mail-server.ts'

export interface LivedInShop {
  settings: Settings
  keys: ClientKeys
  mailServer: TestMailServer
  /** Receives refunds, which the payment simulator does not support. */
  payfast: FakePayfast
  /** Created at the first start on a folder, null later. */
  firstAdmin: FirstAdmin | null
  /** Returns the official client of a visitor at this network address. */
  client(this: void, address?: string): SupabaseClient
  /** Runs a statement as the tables' owner, for changes that take days or that no page allows. */
  sql<Row extends QueryResultRow>(this: void, text: string, values?: unknown[]): Promise<Row[]>
  /** Runs all due jobs, including new ones, until none is left. */
  runJobs(): Promise<void>
  /** Enqueues the cron jobs, as in a shop that keeps running. */
  startClock(): Promise<void>
  close(): Promise<void>
}

/**
 * Starts the shop as `server.ts` does on a data folder, without pages: a persistent PostgreSQL, the services on a port and a real
 * mail server. Jobs run only through `runJobs`.
 */
export async function openLivedInShop(dataDir: string): Promise<LivedInShop> {
  const post = await startMailServer()
  const payfast = await fakePayfast()
  const env = { DATA_DIR: dataDir, PORT: String(await freePort()), SMTP_URL: post.url, TRUST_PROXY: '1' }
  const settings = parseSettings(env, dataDir)
  await claimDataFolder(settings)
  const log = pino({ level: 'silent' })
  const store = await openStore(settings, await shopApplication(), log).catch(async (error: unknown) => {
    await Promise.all([post.close(), payfast.close()])
    throw error
  })
  const { database, keys, closing } = store
  await syncRefundMethod(database.owner, settings)
  await syncPublicAddress(database.owner, settings)
  const parts = { settings, database, files: filesOf(dataDir), keys, log, closing }
  const backend = createServices(parts)
  const api = createApi(parts, backend)
  const web = createWebServer(
    listenerFor((request, { incoming }) => api.fetch(request, connectionOf(incoming))),
    settings,
  )
  await listen(web, settings)

  const { tasks, crontab } = createTasks(parts, backend)
  const account = { ...payfast.account, mode: 'live' } as const
  const { send_refund } = paymentTasks({ owner: database.owner, account, log })
  const jobs = { pool: database.owner, tasks: { ...tasks, send_refund }, log }
  return {
    settings,
    keys,
    mailServer: post,
    payfast,
    firstAdmin: await createFirstAdmin(database.owner, settings.adminEmail),
    client: (address = '105.0.0.1') =>
      createClient(settings.publicUrl, keys.publishable, {
        auth: { persistSession: false, autoRefreshToken: false },
        global: { headers: { 'X-Forwarded-For': address } },
      }),
    sql: async <Row extends QueryResultRow>(text: string, values: unknown[] = []) =>
      (await database.owner.query<Row>(text, values)).rows,
    runJobs: () => runDueJobs(jobs),
    startClock: async () => (await startJobs({ ...jobs, tasks: {}, crontab })).stop(),
    async close() {
      await closeWebServer(web, 1000)
      await store.stop()
      await Promise.all([post.close(), payfast.close()])
    },
  }
}
