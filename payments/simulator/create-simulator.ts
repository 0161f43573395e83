/**
 * Simulates PayFast at the shop's own origin: validates the form, shows a payment page, posts a signed notice over the network and
 * confirms it. The shop trusts it no more than PayFast.
 */
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Pool } from 'pg'
import { z } from 'zod'

import type { TaskList } from '@saltfreak/backend'
import type { PayfastAccount } from '#payments/payfast/account.ts'

import { FAULTS, NO_FAULT } from './faults.ts'
import { endedPage, paymentPage, problemPage } from './pages.ts'
import { findProblem } from './posted-form.ts'
import { deliverNotice, confirmNotice } from './send-notice.ts'
import { cancelPayment, declinePayment, findPayment, openPayment, takePayment } from './simulated-payment.ts'

export interface SimulatorParts {
  owner: Pool
  account: PayfastAccount
  publicUrl: string
  log: { warn(fields: object, message: string): void }
}

const FORM_LIMIT_BYTES = 32 * 1024
const POLICY =
  "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; font-src 'self'; form-action 'self'; frame-ancestors 'none'"
const PAGE = '/simulator/eng/process/payment/'

/** Returns the app for `/simulator`. */
export function createSimulator(parts: SimulatorParts): Hono {
  const { owner, account, publicUrl } = parts
  const app = new Hono()
  app.use(bodyLimit({ maxSize: FORM_LIMIT_BYTES, onError: (c) => c.text('too large', 413) }))
  app.use(async (c, next) => {
    await next()
    c.header('Content-Security-Policy', POLICY)
    c.header('Cache-Control', 'no-store')
  })

  app.post('/eng/process', async (c) => {
    const form = await readForm(c)
    const problem = findProblem(form, account, publicUrl)
    if (problem) return c.html(problemPage(problem), 400)
    return c.redirect(PAGE + (await openPayment(owner, form)), 303)
  })
  app.get('/eng/process/payment/:id', async (c) => {
    const payment = await findPayment(owner, c.req.param('id'))
    if (!payment) return c.html(problemPage('This payment does not exist.'), 404)
    if (payment.status !== 'open') return c.html(endedPage(payment))
    return c.html(paymentPage(payment, { isDeclined: c.req.query('declined') !== undefined }))
  })
  app.post('/eng/process/payment/:id', (c) => handleChoice(c, parts))
  app.post('/eng/query/validate', async (c) => {
    switch (await confirmNotice(owner, await c.req.text())) {
      case 'VALID':
        return c.text('VALID')
      case 'INVALID':
        return c.text('INVALID')
      case 'OUTAGE':
        return c.html('<html><body><h1>403 Forbidden</h1></body></html>', 403)
    }
  })
  return app
}

/** Handles the buyer's choice. Posts the notice before redirecting the browser, like PayFast. */
async function handleChoice(c: Context, parts: SimulatorParts): Promise<Response> {
  const payment = await findPayment(parts.owner, c.req.param('id') ?? '')
  if (!payment) return c.html(problemPage('This payment does not exist.'), 404)
  const { form } = payment
  const { choice = '' } = await readForm(c)

  if (choice === 'cancel') {
    const isCancelled = await cancelPayment(parts.owner, payment.id)
    return isCancelled ? c.redirect(form.cancel_url ?? '/', 303) : c.html(endedPage(payment))
  }
  if (choice === 'fail') {
    await deliverAll(await declinePayment(payment, parts), parts)
    return c.redirect(`${PAGE}${payment.id}?declined`, 303)
  }
  const fault = (Object.hasOwn(FAULTS, choice) && FAULTS[choice]) || NO_FAULT
  await deliverAll(await takePayment(payment, fault, parts), parts, fault.copies)
  return c.redirect(form.return_url ?? '/', 303)
}

async function deliverAll(noticeIds: string[], { owner, log }: SimulatorParts, copies = 1): Promise<void> {
  const deliveries = noticeIds.map((id) =>
    deliverNotice(owner, id, copies).catch((error: unknown) => {
      // The job that was written with the notice retries, so that the buyer does not wait.
      log.warn({ err: error }, 'The shop did not accept a simulated notice')
    }),
  )
  await Promise.all(deliveries)
}

async function readForm(c: Context): Promise<Record<string, string>> {
  const body = new URLSearchParams(await c.req.text())
  return Object.fromEntries([...body].map(([name, value]) => [name, value.replaceAll('\0', '')]))
}

const payloadSchema = z.object({ noticeId: z.uuid() })

export function simulatorTasks(owner: Pool): TaskList {
  return {
    simulator_notice: (payload) => deliverNotice(owner, payloadSchema.parse(payload).noticeId),
  }
}
