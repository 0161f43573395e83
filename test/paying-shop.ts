import { createHash } from 'node:crypto'

import { fakePayfast, type FakePayfast } from './fake-payfast.ts'
import { openShop, type Person, type TestShop } from './shop.ts'
import { placeOrder, type Placed } from '#test/shopping.ts'

export const PASSPHRASE = 'salt/and-pepper'
/** One of the addresses that send live notices. */
export const PAYFAST_ADDRESS = '13.245.74.88'

export interface PaymentAttempt {
  buyer: Person
  order: Placed
  /** The URL to which the browser posts `form`. */
  url: string
  form: Record<string, string>
}

interface OrderPayments {
  status: string | null
  payments: number
  /** Outcomes of its notices, in alphabetical order. */
  outcomes: string[]
}

/** A shop behind one proxy with a fake PayFast. Tests call the shop's public routes only. */
export interface PayingShop {
  shop: TestShop
  payfast: FakePayfast
  /** Places an order of R600 and opens its payment page. */
  aPayment(): Promise<PaymentAttempt>
  askForForm(payment: Pick<PaymentAttempt, 'buyer' | 'order'>): Promise<Record<string, string>>
  /** Returns the body of a signed notice for a payment. */
  bodyFor(
    payment: Pick<PaymentAttempt, 'form'>,
    changes?: Record<string, string | undefined>,
    passphrase?: string,
  ): string
  /** Posts a notice and runs the jobs that follow. Returns the status. */
  notify(body: string, from?: { forwardedFor?: string; referer?: string }): Promise<number>
  /** Skips the backoff of each notice's next check and runs the jobs. */
  laterJobs(): Promise<void>
  stateOf(order: Placed): Promise<OrderPayments>
  sourceOf(order: Placed): Promise<string | undefined>
  /** Types of the open payment issues. */
  issuesOf(order: Placed): Promise<string[]>
  mailsOf(order: Placed, template?: string): Promise<number>
  close(): Promise<void>
}

export async function openPayingShop(): Promise<PayingShop> {
  const payfast = await fakePayfast()
  const { processUrl, validateUrl, merchantId, merchantKey } = payfast.account
  const shop = await openShop({
    publicUrl: 'https://shop.example',
    trustProxy: 1,
    payfast: { mode: 'sandbox', merchantId, merchantKey, passphrase: PASSPHRASE, processUrl, validateUrl },
  })
  const { owner } = shop.database
  await owner.query('update public.product_variants set stock_quantity = 500')

  const one = async <Value>(text: string, values: unknown[]): Promise<Value | undefined> =>
    (await owner.query<{ value: Value }>(text, values)).rows[0]?.value

  return {
    shop,
    payfast,
    async aPayment() {
      const buyer = await shop.signUp()
      const order = await placeOrder(buyer)
      const { payfastUrl, paymentData } = await leave({ buyer, order })
      return { buyer, order, url: payfastUrl, form: paymentData }
    },
    askForForm: async (payment) => (await leave(payment)).paymentData,
    bodyFor,
    async notify(body, { forwardedFor = PAYFAST_ADDRESS, referer } = {}) {
      const headers = {
        'Content-Type': 'application/x-www-form-urlencoded',
        'X-Forwarded-For': forwardedFor,
        ...(referer && { Referer: referer }),
      }
      const { status } = await shop.fetch('/payments/payfast/notice', { method: 'POST', body, headers })
      await shop.runJobs()
      return status
    },
    async laterJobs() {
      await owner.query(
        `update graphile_worker._private_jobs set run_at = now() where run_at > now() and key like 'check_notice:%'`,
      )
      await shop.runJobs()
    },
    async stateOf({ id }) {
      const state = await one<OrderPayments>(STATE, [id])
      if (!state) throw new Error('no state')
      return state
    },
    sourceOf: ({ id }) => one<string>(SOURCE, [id]),
    issuesOf: async ({ id }) => (await one<string[]>(OPEN_ISSUES, [id])) ?? [],
    mailsOf: async ({ id }, template) => (await one<number>(MAILS, [id, template ?? null])) ?? 0,
    async close() {
      await shop.close()
      await payfast.close()
    },
  }
}

/** Requests the signed form for PayFast, as the checkout page does. */
async function leave({ buyer, order }: Pick<PaymentAttempt, 'buyer' | 'order'>) {
  const { data, error } = await buyer.client.functions.invoke('generate-payfast-payment', {
    body: { orderId: order.id, amount: order.total_amount },
  })
  if (error) throw error
  const left: { payfastUrl: string; paymentData: Record<string, string> } = data
  return left
}

const STATE = `select jsonb_build_object(
    'status', (select status from public.orders where id = $1),
    'payments', (select count(*) from public.payments where order_id = $1),
    'outcomes', (select coalesce(jsonb_agg(o.outcome order by o.outcome), '[]')
      from public.payment_attempts a join public.payment_notices n using (m_payment_id)
      join public.payment_notice_outcomes o on o.notice_id = n.id
      where a.order_id = $1 and o.outcome <> 'bad_signature')) as value`

const SOURCE = `select c.result || ': ' || c.detail as value
  from public.payment_attempts a join public.payment_notices n using (m_payment_id)
  join public.payment_notice_checks c on c.notice_id = n.id
  where a.order_id = $1 and c.check_name = 'source'`

const OPEN_ISSUES = `select jsonb_agg(kind order by kind) as value from public.open_payment_issues where order_id = $1`

const MAILS = `select count(*)::int as value from public.mails
  where props ->> 'orderId' = $1 and template = coalesce($2, template)`

let nextPayment = 5_000_001

/** Encodes with URLSearchParams: these values contain no character that PHP encodes differently. */
const bodyFor: PayingShop['bodyFor'] = ({ form }, changes = {}, passphrase = PASSPHRASE) => {
  const pairs: Record<string, string | undefined> = {
    m_payment_id: form.m_payment_id,
    pf_payment_id: String(nextPayment++),
    payment_status: 'COMPLETE',
    item_name: form.item_name,
    item_description: '',
    amount_gross: form.amount,
    amount_fee: '-13.80',
    amount_net: '586.20',
    custom_str1: '',
    merchant_id: '10000100',
    ...changes,
  }
  const fields = Object.entries(pairs).map(([name, value]) => [name, value ?? ''])
  const parameters = new URLSearchParams(fields).toString()
  return `${parameters}&signature=${md5(`${parameters}&passphrase=${encodeURIComponent(passphrase)}`)}`
}

export function md5(text: string): string {
  return createHash('md5').update(text).digest('hex')
}
