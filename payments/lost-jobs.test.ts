import { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import { quietLog, runDueJobs } from '@saltfreak/backend/testing'
import { mailTasks } from '#emails/outbox/tasks.ts'
import { queueMail } from '#emails/outbox/queue-mail.ts'
import { aBuyer, placeOrder, readOrder } from '#test/buyer.ts'
import { shopDatabase, type TestDatabase } from '#test/database.ts'
import { fakePayfast, type FakePayfast } from '#test/fake-payfast.ts'

import { createPayments, paymentTasks } from './create-payments.ts'
import { startPayment } from './payfast/start-payment.ts'

let shop: TestDatabase
let payfast: FakePayfast
const delivered: string[] = []

beforeAll(async () => {
  shop = await shopDatabase()
  payfast = await fakePayfast()
})
afterAll(async () => {
  await payfast.close()
  await shop.close()
})
beforeEach(() => runJobs())

const LOSSES = {
  'was dropped by the queue': 'delete from graphile_worker._private_jobs',
  'has used up all attempts': 'update graphile_worker._private_jobs set attempts = max_attempts',
}

it.each(Object.entries(LOSSES))('checks a payment notice whose job %s', async (_, loss) => {
  const order = await aNotifiedOrder()
  await shop.database.owner.query(loss)
  await runJobs()
  expect(await readOrder(shop.database, order)).toMatchObject({ status: 'pending_payment' })

  await restartForgottenWork()

  expect(await readOrder(shop.database, order)).toMatchObject({ status: 'new' })
})

it('checks a payment notice whose job was lost when the shop was off for two months', async () => {
  const order = await aNotifiedOrder()
  await shop.database.owner.query(`
    delete from graphile_worker._private_jobs;
    alter table public.payment_notices disable trigger rows_are_never_changed;
    update public.payment_notices set received_at = received_at - interval '61 days';
    alter table public.payment_notices enable trigger rows_are_never_changed`)

  await restartForgottenWork()

  expect(await readOrder(shop.database, order)).toMatchObject({ status: 'new' })
})

it.each(Object.entries(LOSSES))('sends an e-mail whose job %s exactly once', async (_, loss) => {
  const key = `contact:${crypto.randomUUID()}`
  const props = { name: 'Thandi', email: 'thandi@example.com', subject: 'Tide', message: 'When?' }
  await queueMail(shop.database.owner, { key, template: 'contact-notification', recipient: null, props })
  await shop.database.owner.query(loss)
  await runJobs()
  expect(delivered).toEqual([])

  await restartForgottenWork()
  await restartForgottenWork()

  expect(delivered).toHaveLength(1)
  delivered.length = 0
})

it('does not restart a payment notice’s job that still exists', async () => {
  payfast.behaviour = 'outage'
  await aNotifiedOrder()
  await runJobs()
  const waiting = 'select id, run_at from graphile_worker._private_jobs order by id'
  const { rows: before } = await shop.database.owner.query(waiting)
  expect(before).not.toEqual([])

  await restartForgottenWork()

  expect((await shop.database.owner.query(waiting)).rows).toEqual(before)
})

it('does not check a payment notice again once it is decided', async () => {
  payfast.behaviour = 'valid'
  await aNotifiedOrder()
  await shop.database.owner.query('update graphile_worker._private_jobs set run_at = now()')
  await runJobs()

  const { rows } = await shop.database.owner.query('select private.restart_lost_jobs() as restarted')

  expect(rows).toEqual([{ restarted: 0 }])
})

async function restartForgottenWork(): Promise<void> {
  await shop.database.owner.query(`select graphile_worker.add_job('restart_lost_jobs')`)
  await runJobs()
}

async function aNotifiedOrder(): Promise<string> {
  const order = await placeOrder(shop.database, await aBuyer(shop.database))
  const customer = { id: order.id, customerName: 'Thandi', customerEmail: null, customerPhone: null }
  const parts = { database: shop.database, publicUrl: 'https://shop.example', payfast: payfast.account }
  const { paymentData } = await startPayment(customer, parts)
  const { m_payment_id = '', amount = '' } = paymentData
  const endpoint = new Hono().route(
    '/payments',
    createPayments({
      owner: shop.database.owner,
      account: payfast.account,
      consumeBadSignatureLimit: async () => true,
      log: quietLog,
    }),
  )
  const body = payfast.notice({ m_payment_id, amount_gross: amount })
  const answer = await endpoint.request('/payments/payfast/notice', { method: 'POST', body })
  expect(answer.status).toBe(200)
  return order.id
}

async function runJobs(): Promise<void> {
  const { owner } = shop.database
  const tasks = {
    ...paymentTasks({ owner, account: payfast.account, log: quietLog }),
    ...mailTasks({
      owner,
      publicUrl: 'https://shop.example',
      mailFrom: 'shop@shop.example',
      shopEmail: 'shop@shop.example',
      deliver: async ({ messageId, subject }) => {
        if (subject.includes('Tide')) delivered.push(messageId)
      },
      log: quietLog,
    }),
  }
  await runDueJobs({ pool: owner, tasks, log: quietLog })
}
