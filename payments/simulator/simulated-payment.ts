import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'

import { inTransaction, selectRow, selectRows } from '@saltfreak/backend'
import { centsFromRand, randText } from '#domain/money.ts'
import type { PayfastAccount } from '#payments/payfast/account.ts'
import { encodeParameters, signParameters, type SignedField } from '#payments/payfast/signature.ts'

import { DECLINED, type Fault } from './faults.ts'
import type { PostedForm } from './posted-form.ts'

const idRow = z.object({ id: z.string() })
const paymentRow = z.object({
  id: z.string(),
  pf_payment_id: z.string(),
  form: z.record(z.string(), z.string()),
  status: z.enum(['open', 'paid', 'cancelled']),
})

export type SimulatedPayment = z.infer<typeof paymentRow>

/** Roughly PayFast's fee for cards. */
const FEE_SHARE = 0.032
/** The notice is sent at once; the job sends it if the process dies before. */
const JOB_AFTER_SECONDS = 10

export async function openPayment(owner: Pool, form: PostedForm): Promise<string> {
  const insert = 'insert into simulator.payments (form) values ($1) returning id'
  return (await selectRow(owner, idRow, [insert, form])).id
}

export async function findPayment(owner: Pool, id: string): Promise<SimulatedPayment | undefined> {
  const [payment] = await selectRows(owner, paymentRow, [
    'select * from simulator.payments where id::text = $1',
    id,
  ])
  return payment
}

/** Returns false when the payment has already ended. */
export async function cancelPayment(owner: Pool, id: string): Promise<boolean> {
  const { rowCount } = await owner.query(
    `update simulator.payments set status = 'cancelled' where id::text = $1 and status = 'open'`,
    [id],
  )
  return rowCount === 1
}

/** Marks the payment as paid and writes its notices with their jobs in one transaction. Returns the notices to send now. */
export async function takePayment(
  payment: SimulatedPayment,
  fault: Fault,
  { owner, account }: { owner: Pool; account: PayfastAccount },
): Promise<string[]> {
  return inTransaction(owner, async (client) => {
    const { rowCount } = await client.query(
      `update simulator.payments set status = 'paid' where id = $1 and status = 'open'`,
      [payment.id],
    )
    if (rowCount !== 1 || fault.copies === 0) return []

    const notices = [await writeNotice(client, payment, composeNotice(payment, fault, account))]
    if (fault.isTakenTwice) {
      const second = { ...payment, pf_payment_id: `9${payment.pf_payment_id}` }
      notices.push(await writeNotice(client, second, composeNotice(second, fault, account)))
    }
    return fault.lateSeconds ? [] : notices
  })
}

/** Simulates a bank's refusal: the payment stays open, and PayFast sends a FAILED notice. */
export async function declinePayment(
  payment: SimulatedPayment,
  { owner, account }: { owner: Pool; account: PayfastAccount },
): Promise<string[]> {
  return inTransaction(owner, async (client) => [
    await writeNotice(client, payment, composeNotice(payment, DECLINED, account)),
  ])
}

interface ComposedNotice {
  fault: Fault
  parameters: string
  signature: string
}

function composeNotice(
  { form, pf_payment_id }: SimulatedPayment,
  fault: Fault,
  account: PayfastAccount,
): ComposedNotice {
  const gross = centsFromRand(form.amount ?? '') + (fault.changeCents ?? 0)
  const fee = Math.round(gross * FEE_SHARE)
  const echoed = (names: string[]): SignedField[] => names.map((name) => [name, form[name] ?? ''])
  // PayFast sends the fields in a different order than the form.
  const parameters = encodeParameters([
    ['m_payment_id', form.m_payment_id ?? ''],
    ['pf_payment_id', pf_payment_id],
    ['payment_status', fault.status ?? 'COMPLETE'],
    ...echoed(['item_name', 'item_description']),
    ['amount_gross', randText(gross)],
    ['amount_fee', randText(-fee)],
    ['amount_net', randText(gross - fee)],
    ...echoed([
      ...numbered('custom_str'),
      ...numbered('custom_int'),
      'name_first',
      'name_last',
      'email_address',
    ]),
    ['merchant_id', fault.merchantId ?? account.merchantId],
  ])
  const passphrase = fault.isBadlySigned ? `not ${account.passphrase ?? 'signed'}` : account.passphrase
  return { fault, parameters, signature: signParameters(parameters, passphrase) }
}

function numbered(name: string): string[] {
  return [1, 2, 3, 4, 5].map((number) => `${name}${number}`)
}

async function writeNotice(
  client: PoolClient,
  payment: SimulatedPayment,
  notice: ComposedNotice,
): Promise<string> {
  const { fault, parameters, signature } = notice
  const { id } = await selectRow(client, idRow, [
    `insert into simulator.notices (payment_id, body, parameters, known, silent_until)
     values ($1, $2, $3, $4, now() + make_interval(secs => $5)) returning id`,
    payment.id,
    `${parameters}&signature=${signature}`,
    parameters,
    !fault.isUnknown,
    fault.silentSeconds ?? 0,
  ])
  // PayFast retries its notices; an attacker with a wrong signature does not.
  if (!fault.isBadlySigned) {
    await client.query(
      `select graphile_worker.add_job('simulator_notice', json_build_object('noticeId', $1::text),
         run_at => now() + make_interval(secs => $2))`,
      [id, fault.lateSeconds ?? JOB_AFTER_SECONDS],
    )
  }
  return id
}
