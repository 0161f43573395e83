import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { databaseAt, onServer } from '@saltfreak/backend/testing'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest'
import { openShop, type TestShop } from '#test/shop.ts'
import { databaseCheck } from '../health/checks/database.ts'
import type { Finding } from '../health/finding.ts'
import { type AlertLead, takeAlertLead } from './alert-lead.ts'
import { watchHealth } from './watch-health.ts'

const MINUTE_MS = 60_000
const disk: Finding = { component: 'disk', state: 'ok', message: 'The disk has room.' }

let shop: TestShop
/** Parts of a process that uses the database from another machine. */
let elsewhere: Pick<TestShop, 'settings' | 'database'>
let name: string
let webhook: Server
let leads: AlertLead[] = []
const posted: string[] = []
beforeAll(async () => {
  webhook = createServer(async (request, response) => {
    const { component, state } = JSON.parse(await text(request))
    posted.push(`${component} ${state}`)
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(webhook, 'listening')
  const address = webhook.address()
  const port = typeof address === 'object' ? address?.port : 0
  shop = await openShop({ alertUrl: `http://127.0.0.1:${port}/` })
  name = (await shop.database.owner.query('select current_database() as name')).rows[0]?.name
  const databaseUrl = databaseAt(inject('superuserUrl'), name)
  elsewhere = { database: shop.database, settings: { ...shop.settings, databaseUrl } }
})
afterEach(async () => {
  disk.state = 'ok'
  posted.length = 0
  await Promise.all(leads.map((lead) => lead.stop()))
})
afterAll(async () => {
  await shop.close()
  webhook.close()
})

const leading = () => leads.filter((lead) => !lead.isElsewhere())

/** Two processes, of which one leads. */
async function electLead(silentMs?: number): Promise<void> {
  const options = { pollMs: 50, ...(silentMs && { silentMs }) }
  const { url } = shop.database
  leads = [takeAlertLead(url, options), takeAlertLead(url, options)]
  await expect.poll(() => leading().length).toBe(1)
}

/** Ends every connection to the database and refuses new ones, or accepts them again. */
async function setAway(isAway: boolean): Promise<void> {
  await onServer(inject('superuserUrl'), async (server) => {
    await server.query(`alter database ${name} with allow_connections ${!isAway}`)
    await server.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and $2::boolean',
      [name, isAway],
    )
  })
}

async function openAlerts(): Promise<number> {
  const { rows } = await shop.database.owner.query(
    `select count(*)::int as alerts from private.open_alerts where component = 'database'`,
  )
  return rows[0]?.alerts
}

it('sends one alert and one all-clear when two processes lose the database that they share', async () => {
  await electLead()
  let now = Date.now()
  const watches = leads.map((lead) =>
    watchHealth({
      ...elsewhere,
      lead,
      checks: [databaseCheck(shop.database.owner), { component: 'disk', check: async () => disk }],
      log: pino({ level: 'silent' }),
      confirmMs: 0,
      now: () => new Date(now),
    }),
  )
  const rounds = () => Promise.all(watches.map((watch) => watch.round()))
  /** In turn, because only one process at a time writes alerts. */
  async function roundsInTurn(): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const watch of watches) await watch.round()
  }
  await rounds()

  await setAway(true)
  await rounds()
  await rounds()
  expect(posted).toEqual(['database failed'])

  disk.state = 'failed'
  await rounds()
  // Each machine has a disk of its own.
  expect(posted).toEqual(['database failed', 'disk failed', 'disk failed'])

  disk.state = 'ok'
  await setAway(false)
  await expect.poll(() => roundsInTurn().then(openAlerts)).toBe(1)
  for (const minutes of [1, 12, 13]) {
    now += minutes * MINUTE_MS
    // oxlint-disable-next-line no-await-in-loop -- minute by minute
    await roundsInTurn()
  }
  await shop.runJobs()
  expect(posted.filter((alert) => alert.startsWith('database'))).toEqual(['database failed', 'database ok'])
})

it('sends one alert about the disk from two shops of the same machine while their embedded database is away', async () => {
  await electLead()
  const watches = leads.map((lead) =>
    watchHealth({
      ...shop,
      lead,
      checks: [databaseCheck(shop.database.owner), { component: 'disk', check: async () => disk }],
      log: pino({ level: 'silent' }),
      confirmMs: 0,
    }),
  )
  disk.state = 'failed'
  await setAway(true)

  await Promise.all(watches.map((watch) => watch.round()))
  await Promise.all(watches.map((watch) => watch.round()))

  expect(posted.toSorted()).toEqual(['database failed', 'disk failed'])
  await setAway(false)
})

it('sends no alert from a process that has just started and does not know yet whether another one leads', async () => {
  await electLead()

  const newcomer = takeAlertLead(shop.database.url, { pollMs: 50 })
  leads.push(newcomer)

  expect(newcomer.isElsewhere()).toBe(true)
})

it('lets another process alert when the leading one stops', async () => {
  await electLead()
  const [first] = leading()
  const second = leads.find((lead) => lead !== first)

  await first?.stop()

  await expect.poll(() => second?.isElsewhere()).toBe(false)
})

it('lets every process alert when the database stays away, because the leading one may be lost with it', async () => {
  await electLead(1000)

  await setAway(true)

  await expect.poll(() => leading().length).toBe(2)
  await setAway(false)
  await expect.poll(() => leading().length).toBe(1)
})
