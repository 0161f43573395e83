import { parseCrontab } from 'graphile-worker'
import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pino } from 'pino'
import { openShop, type TestShop } from '#test/shop.ts'
import { createTasks } from './tasks.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

it('has a handler for every scheduled task', () => {
  const { tasks, crontab } = createTasks({ ...shop, log: pino({ level: 'silent' }) }, shop.backend)

  const named = parseCrontab(crontab).map(({ task }) => task)

  expect(named).toContain('rotate_signing_key')
  expect(Object.keys(tasks)).toEqual(expect.arrayContaining(named))
})

it.each([
  ['reconcile_payments', 'compares the payments with PayFast'],
  ['erase_inactive_customers', 'erases customers whose time is over'],
  ['delete_old_changes', 'deletes old changes'],
  ['sweep_expired', 'deletes expired sessions and limits'],
  ['sweep_files', 'deletes files without a record'],
  ['delete_unsent_photos', 'deletes photos that were never sent'],
])('runs the task %s at least once on each day, which %s', (name) => {
  const { crontab } = createTasks({ ...shop, log: pino({ level: 'silent' }) }, shop.backend)

  const item = parseCrontab(crontab).find(({ task }) => task === name)

  for (const day of [1, 2, 3, 4, 5, 6, 7]) {
    const minutes = Array.from({ length: 24 * 60 }, (_, minute) => ({
      min: minute % 60,
      hour: Math.floor(minute / 60),
      date: 20 + day,
      month: 12,
      dow: day % 7,
    }))
    expect(minutes.some((minute) => item?.match(minute))).toBe(true)
  }
})

it.each([
  ['expire_orders', 1, 'frees the lures of unpaid orders'],
  ['publish_products', 1, 'opens the sale at a launch'],
  ['queue_stock_alerts', 1, 'tells that a colour is back in stock'],
  ['queue_low_stock_alerts', 1, 'tells the shop what runs low'],
  ['restart_lost_jobs', 10, 'continues payments and refunds whose jobs were lost'],
  ['remind_unpaid_orders', 10, 'reminds of an order before it is cancelled'],
  ['test_restore', 7 * 24 * 60, 'tests a backup'],
])('runs the task %s every %i minutes, which %s', (name, every) => {
  const { crontab } = createTasks({ ...shop, log: pino({ level: 'silent' }) }, shop.backend)
  const item = parseCrontab(crontab).find(({ task }) => task === name)

  const week = Array.from({ length: 7 * 24 * 60 }, (_, minute) => {
    const day = Math.floor(minute / 24 / 60)
    return { min: minute % 60, hour: Math.floor(minute / 60) % 24, date: 20 + day, month: 12, dow: day }
  })

  expect(week.filter((minute) => item?.match(minute))).toHaveLength(week.length / every)
})

it.each([
  ['reconcile_payments', 1],
  ['erase_inactive_customers', 1],
  ['delete_old_changes', 1],
  ['delete_unused_pictures', 1],
  ['test_restore', 7],
])('makes up once for the task %s that a shop has missed while it was off for %i days', (name, days) => {
  const { crontab } = createTasks({ ...shop, log: pino({ level: 'silent' }) }, shop.backend)

  const { options } = parseCrontab(crontab).find(({ task }) => task === name) ?? {}

  expect(options?.backfillPeriod).toBeGreaterThanOrEqual(days * 86_400_000)
  // Of several missed runs, the next one replaces the one before.
  expect(options?.jobKey).toBe(name)
})

it.each(['expire_orders', 'publish_products', 'queue_stock_alerts', 'queue_low_stock_alerts'])(
  'keeps one run of the task %s waiting while the queue stands still',
  (name) => {
    const { crontab } = createTasks({ ...shop, log: pino({ level: 'silent' }) }, shop.backend)

    expect(parseCrontab(crontab).find(({ task }) => task === name)?.options).toMatchObject({ jobKey: name })
  },
)

it('publishes a new signing key after rotation and keeps sessions valid', async () => {
  const { client, email } = await shop.signUp()
  const { data } = await client.auth.getSession()

  await shop.database.owner.query(`select graphile_worker.add_job('rotate_signing_key')`)
  await shop.runJobs()

  const { keys } = await (await shop.fetch('/auth/v1/.well-known/jwks.json')).json()
  const { kid } = decodeProtectedHeader(data.session?.access_token ?? '')
  expect(keys.map((key: { kid: string }) => key.kid)).toEqual([expect.not.stringMatching(kid ?? ''), kid])
  expect((await client.auth.getUser()).data.user?.email).toBe(email)
  expect((await client.from('profiles').select('email')).data).toEqual([{ email }])
})
