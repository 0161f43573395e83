import { once } from 'node:events'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { Client } from 'pg'
import {
  databaseAt,
  findRunningPostgres,
  onServer,
  postgresUrl,
  startTestServer,
  waitForOutput,
} from '@saltfreak/backend/testing'
import { LEAD_LOCK } from '#server/alerts/alert-lead.ts'
import { killPostgres, launchShopProgram, startShop } from '#test/running-shop.ts'
import { isOpenAgain } from './checkout.ts'

/** The checks run once a minute, and look at a problem again after 15 seconds. */
const ROUND_MS = 75_000
const HAS_WORKED_FOR_AN_HOUR = `
  update private.alerts set ok_since = now() - interval '1 hour' where ok_since is not null and cleared_at is null`

const LEADS = `
  select from pg_locks where locktype = 'advisory' and granted and objid = ${LEAD_LOCK}
    and database = (select oid from pg_database where datname = current_database())`

/** Receives alerts about the database. */
async function openWebhook() {
  const received: string[] = []
  const webhook = createServer(async (request, response) => {
    const { component, state } = JSON.parse(await text(request))
    if (component === 'database') received.push(state)
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(webhook, 'listening')
  const address = webhook.address()
  const port = typeof address === 'object' ? address?.port : 0
  return { received, url: `http://127.0.0.1:${port}/`, close: () => webhook.close() }
}

interface Outage {
  received: string[]
  begin(this: void): Promise<void>
  end(this: void): Promise<void>
  /** Runs a statement in the shop's database and returns how many rows it changed. */
  change(this: void, statement: string): Promise<number | null>
}

async function expectOneAlert({ received, begin, end, change }: Outage): Promise<void> {
  // A shop that loses its database before it knows who leads is silent.
  await expect.poll(() => change(LEADS), { timeout: 2 * ROUND_MS, intervals: [1000] }).toBe(1)
  await begin()
  await expect.poll(() => received, { timeout: 2 * ROUND_MS }).toEqual(['failed'])
  // Every process would have looked by then.
  await pause(ROUND_MS)
  expect(received).toEqual(['failed'])

  await end()
  await expect
    .poll(() => change(HAS_WORKED_FOR_AN_HOUR), { timeout: 2 * ROUND_MS, intervals: [1000] })
    .toBe(1)
  await expect.poll(() => received, { timeout: 2 * ROUND_MS }).toEqual(['failed', 'ok'])
  await pause(ROUND_MS)
  expect(received).toEqual(['failed', 'ok'])
}

test('a shop of three processes sends one alert and one all-clear about a lost database @long', async () => {
  test.setTimeout(10 * 60_000)
  const webhook = await openWebhook()
  const shop = await startShop({ PROCESSES: '3', ALERT_URL: webhook.url })

  await expectOneAlert({
    received: webhook.received,
    begin: () => loseEmbedded(shop.dataDir),
    async end() {
      await findEmbedded(shop.dataDir)
      await isOpenAgain(shop)
    },
    change: (statement) => inEmbedded(shop.dataDir, statement),
  })
  await shop.stop()
  webhook.close()
})

test('two shops that were started separately send one alert and one all-clear about their lost database @long', async () => {
  test.setTimeout(10 * 60_000)
  const webhook = await openWebhook()
  const { superuserUrl, stop } = await startTestServer()
  const databaseUrl = databaseAt(superuserUrl, 'shop')
  await onServer(superuserUrl, (server) => server.query('create database shop'))
  const settings = { DATABASE_URL: databaseUrl, ALERT_URL: webhook.url }
  const first = await startShop(settings)
  const second = await startShop(settings)

  await expectOneAlert({
    received: webhook.received,
    begin: () =>
      onServer(superuserUrl, async (server) => {
        await server.query('alter database shop with allow_connections false')
        await server.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = 'shop'`)
      }),
    async end() {
      await onServer(superuserUrl, (server) =>
        server.query('alter database shop with allow_connections true'),
      )
      await Promise.all([first, second].map(isOpenAgain))
    },
    change: (statement) => inDatabase(databaseUrl, statement),
  })
  await Promise.all([first.stop(), second.stop()])
  await stop()
  webhook.close()
})

test('two versions of the shop that share an embedded database send one alert and one all-clear about its loss @long', async () => {
  test.setTimeout(10 * 60_000)
  const webhook = await openWebhook()
  const dataDir = await mkdtemp(join(tmpdir(), 'shop-shared-'))
  const { process: database } = launchShopProgram({ DATA_DIR: dataDir }, { program: 'scripts/database.ts' })
  const ended = once(database, 'close')
  expect(await Promise.race([waitForOutput(database, /is running/), ended.then(() => false)])).toBe(true)
  const settings = { DATA_DIR: dataDir, SHARED_DATABASE: 'true', ALERT_URL: webhook.url }
  const first = await startShop(settings)
  const second = await startShop(settings)

  await expectOneAlert({
    received: webhook.received,
    begin: () => loseEmbedded(dataDir),
    async end() {
      await findEmbedded(dataDir)
      await Promise.all([first, second].map(isOpenAgain))
    },
    change: (statement) => inEmbedded(dataDir, statement),
  })
  await Promise.all([first.stop(), second.stop()])
  database.kill('SIGTERM')
  await ended
  webhook.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** Kills PostgreSQL, which cannot start again without its folder. After the kill, it could have started before the folder is away. */
async function loseEmbedded(dataDir: string): Promise<void> {
  await rename(join(dataDir, 'postgres'), join(dataDir, 'postgres.away'))
  await killPostgres(dataDir, 'postgres.away')
}

async function findEmbedded(dataDir: string): Promise<void> {
  await rename(join(dataDir, 'postgres.away'), join(dataDir, 'postgres'))
}

async function inEmbedded(dataDir: string, statement: string): Promise<number | null> {
  const postgres = await findRunningPostgres(dataDir)
  return postgres && inDatabase(postgresUrl(postgres, 'supabase_admin'), statement)
}

async function inDatabase(connectionString: string, statement: string): Promise<number | null> {
  const client = new Client({ connectionString })
  await client.connect()
  const { rowCount } = await client.query(statement)
  await client.end()
  return rowCount
}
