import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { bareDatabase, type TestDatabase } from '#backend/testing/database.ts'
import { quietLog } from '#backend/testing/quiet-log.ts'
import { type JobRunner, migrateJobs, startJobs } from './run-jobs.ts'

const FORTY_DAYS_MS = 40 * 24 * 3_600_000
/** `fill` makes up for the current minute, so that no test waits for the next one. */
const CRONTAB = '* * * * * tick ?fill=2m'

let db: TestDatabase
let runner: JobRunner
let ticks: number
let greetings: unknown[]

beforeAll(async () => {
  db = await bareDatabase()
  await migrateJobs(db.database.owner)
})
afterAll(() => db.close())
beforeEach(() => {
  ticks = 0
  greetings = []
})
afterEach(async () => {
  vi.useRealTimers()
  await runner.stop()
  await sql('delete from graphile_worker._private_jobs')
  await sql('delete from graphile_worker._private_known_crontabs')
})

async function start(): Promise<void> {
  runner = await startJobs({
    pool: db.database.owner,
    crontab: CRONTAB,
    tasks: { tick: async () => void (ticks += 1), greet: async (name) => void greetings.push(name) },
    log: quietLog,
    pollMs: 50,
    clockCheckMs: 50,
  })
}

const sql = (text: string) => db.database.owner.query(text)

const queueInFortyDays = () =>
  sql(`
    with job as (select * from graphile_worker.add_job('greet', '"Thandi"'))
    update graphile_worker._private_jobs j
    set created_at = now() + interval '40 days', updated_at = now() + interval '40 days', run_at = now() + interval '40 days'
    from job where j.id = job.id`)

const scheduleInFortyDays = () =>
  sql(`
    insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
    values ('tick', now() - interval '1 day', now() + interval '40 days')
    on conflict (identifier) do update set last_execution = excluded.last_execution`)

const epochMs = async (query: string) =>
  Number((await sql(`select extract(epoch from (${query})) * 1000 as at`)).rows[0]?.at)
const newestJob = () => epochMs('select max(run_at) from graphile_worker._private_jobs')
const lastExecution = () => epochMs('select max(last_execution) from graphile_worker._private_known_crontabs')

it('runs scheduled and queued jobs at the start after the clock was forty days ahead', async () => {
  await scheduleInFortyDays()
  await queueInFortyDays()

  await start()

  await expect.poll(() => ticks).toBeGreaterThan(0)
  await expect.poll(() => greetings).toEqual(['Thandi'])
})

it('brings scheduled and queued jobs of the future back to now while it runs', async () => {
  await start()
  await scheduleInFortyDays()
  await queueInFortyDays()

  await expect.poll(() => greetings).toEqual(['Thandi'])
  await expect
    .poll(
      async () =>
        (
          await sql(
            'select max(last_execution) <= now() as is_past from graphile_worker._private_known_crontabs',
          )
        ).rows,
    )
    .toEqual([{ is_past: true }])
})

it('schedules from the new time after the clock has jumped forward and back', async () => {
  await start()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + FORTY_DAYS_MS })
  // Its job waits, because the database's clock has not jumped.
  await expect.poll(newestJob).toBeGreaterThan(Date.now() - FORTY_DAYS_MS / 2)

  vi.useRealTimers()

  await expect.poll(() => ticks).toBeGreaterThan(0)
  await expect.poll(async () => (await lastExecution()) - Date.now()).toBeLessThanOrEqual(0)
})
