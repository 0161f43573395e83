/** A failing mail server must never block orders and payments; queued mails are sent later, once. */
import { startJobs } from '@saltfreak/backend'
import { quietLog } from '@saltfreak/backend/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { databaseCheck } from '#server/health/checks/database.ts'
import { aBuyer, placeOrder, readOrder } from '#test/buyer.ts'
import { startMailServer, type TestMailServer } from '#test/mail-server.ts'
import { openShop, type TestShop } from '#test/shop.ts'
import { mailTasks } from './tasks.ts'
import { smtpDelivery } from './transport.ts'

let room: TestMailServer
let shop: TestShop
beforeEach(async () => {
  room = await startMailServer()
  shop = await openShop({ smtpUrl: room.url })
})
afterEach(async () => {
  await shop.close()
  await room.close()
})

it('accepts payments during a mail outage and sends each e-mail once afterwards', async () => {
  await room.close()
  const orders = [await aPaidOrder()]
  let seconds = 0
  while (seconds < 3600) {
    seconds += await passTime(Math.min(await secondsToRetry(), 3600 - seconds))
    if (seconds > 1200 * orders.length) orders.push(await aPaidOrder())
  }
  expect(orders.length).toBeGreaterThanOrEqual(3)
  for (const { id } of orders) expect(await readOrder(shop.database, id)).toMatchObject({ status: 'new' })

  room = await startMailServer(Number(new URL(room.url).port))
  await passTime(7200)
  await passTime(7200)

  const recipients = (await room.received()).map(({ to }) => to?.[0]?.address)
  for (const { email } of orders) expect(recipients.filter((to) => to === email)).toHaveLength(1)
  expect(recipients).toHaveLength(2 * orders.length)
})

it('accepts orders and payments while the mail server is slow', async () => {
  const { begun, release } = room.hold()
  await aPaidOrder()
  const sending = shop.runJobs()
  await begun

  const { id } = await aPaidOrder()

  expect(await readOrder(shop.database, id)).toMatchObject({ status: 'new' })
  expect(await room.received()).toEqual([])
  release()
  await sending
  await shop.runJobs()
  expect(await room.received()).toHaveLength(4)
})

it('leaves connections for sign-up and /readyz while the mail server hangs', async () => {
  const { count, release } = room.hold()
  await Promise.all([aPaidOrder(), aPaidOrder(), aPaidOrder()])
  const { owner } = shop.database
  const { publicUrl, mailFrom, shopEmail } = shop.settings
  const deliver = smtpDelivery(room.url, mailFrom)
  const tasks = mailTasks({ owner, publicUrl, mailFrom, shopEmail, deliver, log: quietLog })
  const runner = await startJobs({ pool: owner, tasks, crontab: '', log: quietLog })
  try {
    await expect.poll(runningJobs).toBe(4)
    await expect.poll(count).toBe(1)

    await shop.signUp()
    expect(await databaseCheck(owner).check()).toMatchObject({ state: 'ok' })

    release()
    await expect.poll(() => room.received()).toHaveLength(6)
  } finally {
    release()
    await runner.stop()
  }
})

it('checks a payment notice before the e-mails that were waiting for the mail server', async () => {
  const { begun, release } = room.hold()
  await aPaidOrder()
  const { owner } = shop.database
  const notice = 'm_payment_id=unknown&payment_status=FAILED&signature=valid'
  await owner.query(`select private.store_notice($1, 'unknown', '{}', '127.0.0.1')`, [notice])

  const sending = shop.runJobs()
  await begun

  const { rowCount: decided } = await owner.query('select from public.payment_notice_outcomes')
  expect(decided).toBe(1)
  release()
  await sending
  expect(await room.received()).toHaveLength(2)
})

it('sends the other e-mails and accepts the order when one address is rejected', async () => {
  const [stranger, thandi] = [await aPaidOrder(), await aPaidOrder()]
  room.unknown.add(stranger.email)

  await shop.runJobs()

  expect(await readOrder(shop.database, stranger.id)).toMatchObject({ status: 'new' })
  const recipients = (await room.received()).map(({ to }) => to?.[0]?.address)
  expect(recipients).toHaveLength(3)
  expect(new Set(recipients)).toEqual(new Set([thandi.email, shop.settings.shopEmail]))
})

async function aPaidOrder(): Promise<{ id: string; email: string }> {
  const buyer = await aBuyer(shop.database)
  const { id } = await placeOrder(shop.database, buyer)
  await shop.database.owner.query('select private.mark_order_paid($1, now())', [id])
  return { id, email: buyer.email }
}

async function runningJobs(): Promise<number> {
  const { rowCount } = await shop.database.owner.query(
    'select from graphile_worker._private_jobs where locked_at is not null',
  )
  return rowCount ?? 0
}

async function secondsToRetry(): Promise<number> {
  const { rows } = await shop.database.owner.query<{ seconds: number }>(
    `select ceil(extract(epoch from min(run_at) - now()))::int as seconds from graphile_worker._private_jobs`,
  )
  return Math.max(1, rows[0]?.seconds ?? 0)
}

/** Moves the run times of all jobs nearer, then runs the due ones. */
async function passTime(seconds: number): Promise<number> {
  await shop.database.owner.query(
    'update graphile_worker._private_jobs set run_at = run_at - make_interval(secs => $1)',
    [seconds],
  )
  await shop.runJobs()
  return seconds
}
