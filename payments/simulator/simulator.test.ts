import { once } from 'node:events'
import type { AddressInfo } from 'node:net'

import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { quietLog, runDueJobs } from '@saltfreak/backend/testing'
import { colour, darkColour, pageFont } from '#domain/brand.ts'
import { createPayments, paymentTasks } from '#payments/create-payments.ts'
import type { PayfastAccount } from '#payments/payfast/account.ts'
import { startPayment } from '#payments/payfast/start-payment.ts'
import type { PaymentForm } from '#domain/function-results.ts'
import { aBuyer, placeOrder, readOrder, type BuyerOrder } from '#test/buyer.ts'
import { shopDatabase, type TestDatabase } from '#test/database.ts'

import { createSimulator, simulatorTasks } from './create-simulator.ts'
import { FAULTS } from './faults.ts'

let shop: TestDatabase
let account: PayfastAccount
let origin: string
const app = new Hono()
const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false })

beforeAll(async () => {
  shop = await shopDatabase()
  await shop.database.owner.query('update public.product_variants set stock_quantity = 500')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TCP server that listens has one
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  account = {
    mode: 'simulator',
    merchantId: '10000100',
    merchantKey: '46f0cd694581a',
    passphrase: 'secret',
    processUrl: `${origin}/simulator/eng/process`,
    validateUrl: `${origin}/simulator/eng/query/validate`,
  }
  const parts = {
    owner: shop.database.owner,
    account,
    consumeBadSignatureLimit: async () => true,
    publicUrl: origin,
    log: quietLog,
  }
  app.route('/payments', createPayments(parts))
  app.route('/simulator', createSimulator(parts))
})
afterAll(async () => {
  server.close()
  await once(server, 'close')
  await shop.close()
})

describe('the payment page', () => {
  it('marks the simulated payment page as a test and shows order and amount', async () => {
    const { form } = await aWaitingPayment()

    const page = await (await fetch(await openPage(form))).text()

    expect(page).toContain('No money moves')
    expect(page).toContain(form.paymentData.item_name)
    expect(page).toContain('Pay R240.00')
    expect(page).not.toContain('<script')
  })

  it.each([
    ['another amount', { amount: '1.00' }, 'Generated signature does not match submitted signature'],
    ['no signature', { signature: '' }, 'Generated signature does not match submitted signature'],
    ['another merchant key', { merchant_key: 'x' }, 'Merchant key is invalid'],
    ['a comma in the amount', { amount: '1,00' }, 'amount : '],
    ['a notify address elsewhere', { notify_url: 'https://evil.example/x' }, 'notify_url : '],
  ])('refuses a payment form with %s and shows PayFast’s message', async (_, change, words) => {
    const { form } = await aWaitingPayment()

    const answer = await post(form.payfastUrl, { ...form.paymentData, ...change })

    expect(answer.status).toBe(400)
    const page = await answer.text()
    expect(page).toContain('The supplied variables are not according to specification')
    expect(page).toContain(words)
  })

  it('uses the shop’s colours and fonts on the payment page except for the test banner', async () => {
    const { form } = await aWaitingPayment()

    const page = await (await fetch(await openPage(form))).text()

    const stripes = ['#ffd166', '#ffc233']
    const brand: string[] = [...Object.values(colour), ...Object.values(darkColour), ...stripes]
    const used = [...page.matchAll(/(?<!&)#[\da-f]{3,8}(?=[;"\s}])/g)].map(([hex]) => hex)
    expect(used).toContain(colour.danger)
    expect(used.filter((hex) => !brand.includes(hex))).toEqual([])
    const faces = [...page.matchAll(/ font: [^';]*\/[\d.]+ ([^;]+)/g)].map(([, face]) => face)
    expect(new Set(faces)).toEqual(new Set([pageFont.display, pageFont.text]))
  })

  it('accepts any customer name in the payment form', async () => {
    const { order } = await aWaitingPayment()
    const form = await begin(order, `Zoë "Smiley" <O'Neill> & ~*!() 🎣`)

    expect((await post(form.payfastUrl, form.paymentData)).status).toBe(303)
  })
})

describe('paying', () => {
  it('posts the payment notice before it redirects the browser', async () => {
    const { order, form } = await aWaitingPayment()

    const answer = await choose(await openPage(form), 'pay')

    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(`${origin}/payment-success?order_id=${order.id}`)
    expect(await noticesOf(order)).toBe(1)
    await runJobs()
    expect((await readOrder(shop.database, order.id))?.status).toBe('new')
  })

  it('sends one payment notice when the buyer presses the button repeatedly', async () => {
    const { order, form } = await aWaitingPayment()
    const page = await openPage(form)

    await Promise.all([choose(page, 'pay'), choose(page, 'pay'), choose(page, 'pay')])
    await runJobs()

    expect(await noticesOf(order)).toBe(1)
  })

  it('redirects a cancelled payment to the cancel page and sends no notice', async () => {
    const { order, form } = await aWaitingPayment()
    const page = await openPage(form)

    const answer = await choose(page, 'cancel')

    expect(answer.headers.get('location')).toBe(`${origin}/payment-cancelled?order_id=${order.id}`)
    expect(await noticesOf(order)).toBe(0)
    expect(await (await fetch(page)).text()).toContain('This payment was cancelled')
  })

  it('lets the buyer pay again after the bank declined a payment', async () => {
    const { order, form } = await aWaitingPayment()
    const page = await openPage(form)

    const declined = await choose(page, 'fail')
    await runJobs()
    expect(await (await fetch(new URL(declined.headers.get('location') ?? '', origin))).text()).toContain(
      'declined',
    )
    expect((await readOrder(shop.database, order.id))?.status).toBe('pending_payment')

    await choose(page, 'pay')
    await runJobs()
    expect((await readOrder(shop.database, order.id))?.status).toBe('new')
  })
})

describe('simulated faults', () => {
  it.each([
    ['twice', 'new'],
    ['flood', 'new'],
    ['again', 'new'],
    ['forged', 'pending_payment'],
    ['unknown', 'pending_payment'],
    ['short', 'pending_payment'],
    ['over', 'pending_payment'],
    ['foreign', 'pending_payment'],
    ['never', 'pending_payment'],
    ['late', 'pending_payment'],
    ['outage', 'pending_payment'],
  ])('simulates the payment fault “%s”: the order’s status is then %s', async (fault, status) => {
    const { order, form } = await aWaitingPayment()

    await choose(await openPage(form), fault)
    await runJobs()

    expect((await readOrder(shop.database, order.id))?.status).toBe(status)
  })

  it.each([
    ['twice', 2, []],
    ['flood', 10, []],
    ['again', 2, ['paid_twice']],
    ['forged', 1, ['bad_signature']],
    ['unknown', 1, ['denied']],
    ['short', 1, ['wrong_amount']],
    ['over', 1, ['wrong_amount']],
    ['foreign', 1, ['wrong_merchant']],
    ['never', 0, []],
  ])(
    'simulates the payment fault “%s” with %i notices and the payment issues %j',
    async (fault, notices, issues) => {
      const { order, form } = await aWaitingPayment()

      await choose(await openPage(form), fault)
      await runJobs()

      expect(await noticesOf(order)).toBe(notices)
      const { rows } = await shop.database.owner.query<{ kind: string }>(
        'select kind from public.payment_issues where order_id = $1',
        [order.id],
      )
      expect(rows.map(({ kind }) => kind)).toEqual(issues)
    },
  )

  it('shows a button for every simulated fault on the payment page', async () => {
    const { form } = await aWaitingPayment()

    const page = await (await fetch(await openPage(form))).text()

    for (const name of Object.keys(FAULTS)) expect(page).toContain(`value="${name}"`)
  })

  it.each(['late', 'outage'])('marks the order as paid after the delay of the fault “%s”', async (fault) => {
    const { order, form } = await aWaitingPayment()
    await choose(await openPage(form), fault)
    await runJobs()

    await shop.database.owner.query('update simulator.notices set silent_until = now()')
    await runJobsLater()
    await runJobsLater()

    expect((await readOrder(shop.database, order.id))?.status).toBe('new')
  })
})

async function aWaitingPayment(): Promise<{ order: BuyerOrder; form: PaymentForm }> {
  const order = await placeOrder(shop.database, await aBuyer(shop.database))
  return { order, form: await begin(order, "Thandi O'Neill") }
}

function begin(order: BuyerOrder, customerName: string): Promise<PaymentForm> {
  const customer = { id: order.id, customerName, customerEmail: 'thandi@example.com', customerPhone: null }
  return startPayment(customer, { database: shop.database, publicUrl: origin, payfast: account })
}

async function openPage(form: PaymentForm): Promise<URL> {
  const answer = await post(form.payfastUrl, form.paymentData)
  return new URL(answer.headers.get('location') ?? '', origin)
}

function choose(page: URL, choice: string): Promise<Response> {
  return post(page, { choice })
}

function post(address: string | URL, fields: Record<string, string>): Promise<Response> {
  return fetch(address, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
}

function runJobs() {
  const { owner } = shop.database
  const tasks = {
    ...paymentTasks({ owner, account, log: quietLog }),
    ...simulatorTasks(owner),
    send_mail: () => Promise.resolve(),
  }
  return runDueJobs({ pool: owner, tasks, log: quietLog })
}

async function runJobsLater() {
  await shop.database.owner.query(
    'update graphile_worker._private_jobs set run_at = now() where run_at > now()',
  )
  await runJobs()
}

async function noticesOf(order: BuyerOrder): Promise<number> {
  const { rows } = await shop.database.owner.query<{ count: number }>(
    `select count(*)::int from public.payment_notices n join public.payment_attempts a using (m_payment_id)
     where a.order_id = $1`,
    [order.id],
  )
  return rows[0]?.count ?? 0
}
