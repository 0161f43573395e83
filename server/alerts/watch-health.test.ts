import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startMailServer, type TestMailServer } from '#test/mail-server.ts'
import { openShop, type TestShop } from '#test/shop.ts'
import { failed, type Finding } from '../health/finding.ts'
import { healthChecks } from '../health/health-checks.ts'
import { watchHealth } from './watch-health.ts'

let shop: TestShop
let room: TestMailServer
let webhook: Server
let posted: { status: number; bodies: Record<string, unknown>[] }
beforeAll(async () => {
  posted = { status: 204, bodies: [] }
  webhook = createServer(async (request, response) => {
    const body = JSON.parse(await text(request))
    if (posted.status < 300) posted.bodies.push(body)
    response.writeHead(posted.status).end()
  }).listen(0, '127.0.0.1')
  await once(webhook, 'listening')
  const address = webhook.address()
  const port = typeof address === 'object' ? address?.port : 0
  room = await startMailServer()
  shop = await openShop({ smtpUrl: room.url, alertUrl: `http://127.0.0.1:${port}/alerts` })
})
afterEach(async () => {
  posted.status = 204
  posted.bodies = []
  room.empty()
  await shop.database.owner.query(
    'delete from private.alerts; delete from public.mails; delete from graphile_worker._private_jobs',
  )
})
afterAll(async () => {
  await shop.close()
  await room.close()
  webhook.close()
})

/** A component whose state the test sets, and a clock that it moves. */
function watched() {
  const disk: Finding = { component: 'disk', state: 'ok', message: 'The disk has room.' }
  const clock = { minutes: 0 }
  const start = Date.now()
  const checks = [{ component: 'disk', check: async () => ({ ...disk }) }]
  const process = () =>
    watchHealth({
      ...shop,
      checks,
      log: pino({ level: 'silent' }),
      confirmMs: 0,
      now: () => new Date(start + clock.minutes * 60_000),
    })
  const set = (state: Finding['state'], message = `The disk is ${state}.`) =>
    Object.assign(disk, { state, message })
  return { set, clock, process, checks }
}

async function subjects(): Promise<(string | undefined)[]> {
  await shop.runJobs()
  return (await room.received()).map(({ subject }) => subject)
}

describe('an alert', () => {
  it('is sent once by e-mail and webhook, and followed by one all-clear, across processes and restarts', async () => {
    const { set, clock, process } = watched()
    const [first, second] = [process(), process()]
    await first.round()
    set('failed')
    await Promise.all([first.round(), second.round()])
    await second.round()
    await process().round()
    expect(await subjects()).toEqual(['Shop alert: disk'])
    expect(posted.bodies).toEqual([
      {
        component: 'disk',
        state: 'failed',
        message: 'The disk is failed.',
        action: null,
        since: expect.any(String),
      },
    ])

    set('ok')
    for (const minutes of [1, 5, 12, 13, 14]) {
      clock.minutes = minutes
      // oxlint-disable-next-line no-await-in-loop -- minute by minute
      await first.round()
    }
    await process().round()

    expect(await subjects()).toEqual(['Shop alert: disk', 'All clear: disk'])
    expect(posted.bodies.map(({ state }) => state)).toEqual(['failed', 'ok'])
    const { rows } = await shop.database.owner.query('select distinct template from public.mails')
    expect(rows).toEqual([{ template: 'alert' }])
    const [mail] = await room.received()
    expect(mail?.to?.[0]?.address).toBe(shop.settings.shopEmail)
  })

  it('is mailed again when the component fails again after its all-clear', async () => {
    const { set, clock, process } = watched()
    const { round } = process()
    const states = { 0: 'failed', 1: 'ok', 12: 'ok', 60: 'failed' } as const
    for (const [minutes, state] of Object.entries(states)) {
      clock.minutes = Number(minutes)
      set(state)
      // oxlint-disable-next-line no-await-in-loop -- one round after the other
      await round()
    }

    expect(await subjects()).toEqual(['Shop alert: disk', 'All clear: disk', 'Shop alert: disk'])
  })

  it('is sent again when a warning becomes a failure, but not when it becomes a warning again', async () => {
    const { set, process } = watched()
    const { round } = process()
    for (const state of ['warning', 'failed', 'warning', 'failed'] as const) {
      set(state)
      // oxlint-disable-next-line no-await-in-loop -- minute by minute
      await round()
    }
    await shop.runJobs()

    expect(posted.bodies.map(({ state }) => state)).toEqual(['warning', 'failed'])
  })

  it('is mailed again when a failure that had become a warning fails again', async () => {
    const { set, clock, process } = watched()
    const { round } = process()
    const states = { 0: 'failed', 1: 'warning', 12: 'warning', 20: 'failed' } as const
    for (const [minutes, state] of Object.entries(states)) {
      clock.minutes = Number(minutes)
      set(state)
      // oxlint-disable-next-line no-await-in-loop -- one round after the other
      await round()
    }

    expect(await subjects()).toEqual(['Shop alert: disk', 'Shop alert: disk'])
  })

  it('is sent at most a few times a day for a component that keeps failing and recovering', async () => {
    const { set, clock, process } = watched()
    const { round } = process()
    for (; clock.minutes < 12 * 60; clock.minutes += 10) {
      set(clock.minutes % 40 < 20 ? 'failed' : 'ok')
      // oxlint-disable-next-line no-await-in-loop -- minute by minute
      await round()
    }
    await shop.runJobs()

    expect(posted.bodies.length).toBeLessThan(10)
    expect(posted.bodies.length).toBeGreaterThan(1)
  })

  it('is not sent for a problem that is gone when it is looked at again', async () => {
    const { set, process, checks } = watched()
    set('failed')
    const check = checks[0]?.check
    let times = 0
    checks[0] = {
      component: 'disk',
      check: async () => (times++ === 0 ? check!() : { component: 'disk', state: 'ok', message: '' }),
    }
    await process().round()

    expect(times).toBe(2)
    expect(await subjects()).toEqual([])
  })

  it('is retried at the webhook until it is accepted', async () => {
    const { set, process } = watched()
    posted.status = 500
    set('failed')
    await process().round()
    await shop.runJobs()
    posted.status = 204
    await shop.database.owner.query('update graphile_worker._private_jobs set run_at = now()')
    await shop.runJobs()

    expect(posted.bodies).toHaveLength(1)
  })
})

describe('without a database', () => {
  it('sends one alert about the database directly, until both channels have accepted it', async () => {
    const nowhere = new Pool({ host: '127.0.0.1', port: 1 })
    const parts = {
      ...shop,
      database: { ...shop.database, owner: nowhere, api: nowhere, close: () => nowhere.end() },
    }
    const watch = watchHealth({
      ...parts,
      checks: healthChecks(parts),
      log: pino({ level: 'silent' }),
      confirmMs: 0,
    })
    posted.status = 500
    await watch.round()
    posted.status = 200
    await watch.round()
    await watch.round()

    expect((await room.received()).map(({ subject }) => subject)).toEqual(['Shop alert: database'])
    expect(posted.bodies.map(({ component }) => component)).toEqual(['database'])
  })

  it('sends no alerts about components that cannot be checked because the disk is full', async () => {
    const watch = watchHealth({
      ...shop,
      checks: [
        { component: 'disk', check: async () => failed('The disk is full.', 'Delete files.') },
        { component: 'mail', check: () => Promise.reject(new Error('No space left on device')) },
      ],
      log: pino({ level: 'silent' }),
      confirmMs: 0,
    })
    await watch.round()

    expect(await subjects()).toEqual(['Shop alert: disk'])
  })

  it('sends one alert and one all-clear when the database cannot write, as on a full disk', async () => {
    const { set, clock, process } = watched()
    const { round } = process()
    const { owner } = shop.database
    await owner.query('alter table private.alerts add constraint disk_is_full check (false) not valid')
    set('failed')
    await round()
    await round()
    expect((await room.received()).map(({ subject }) => subject)).toEqual(['Shop alert: disk'])

    await owner.query('alter table private.alerts drop constraint disk_is_full')
    set('ok')
    for (clock.minutes = 1; clock.minutes < 15; clock.minutes += 1) {
      // oxlint-disable-next-line no-await-in-loop -- minute by minute
      await round()
    }

    expect(await subjects()).toEqual(['Shop alert: disk', 'All clear: disk'])
    expect(posted.bodies.map(({ state }) => state)).toEqual(['failed', 'ok'])
  })
})

it('sends alerts directly while the job queue stands still', async () => {
  await shop.database.owner.query(
    `select graphile_worker.add_job('check_notice', run_at => now() - interval '1 hour')`,
  )
  const { database, files } = shop
  const watch = watchHealth({
    ...shop,
    checks: healthChecks({ database, files, settings: shop.settings }),
    log: pino({ level: 'silent' }),
    confirmMs: 0,
  })
  await watch.round()

  expect((await room.received()).map(({ subject }) => subject)).toEqual(['Shop alert: jobs'])
  expect(posted.bodies.map(({ component }) => component)).toEqual(['jobs'])
})
