import { inTransaction, selectRow, selectRows } from '@saltfreak/backend'
import type { Pool } from 'pg'
import { z } from 'zod'

import { centsFromRand, randText } from '#domain/money.ts'

import type { PayfastAccount } from './account.ts'
import { fetchRefundBalance, requestRefund, type RefundBalance } from './refunds-api.ts'

interface RefundParts {
  owner: Pool
  account: PayfastAccount
  log: { info(fields: object, message: string): void }
}

const openRefund = z.object({
  id: z.string(),
  reason: z.string(),
  state: z.enum(['requested', 'sent', 'unknown']),
  pf_payment_id: z.string(),
  amount: z.string(),
  /** Refundable balance in rand before the refund was last sent. */
  available_before: z.string().nullable(),
  /** How many steps other refunds of the payment had taken before the balance was fetched. */
  other_steps: z.string(),
})

type OpenRefund = z.infer<typeof openRefund>

type KnownBalance = Extract<RefundBalance, { is: 'known' }>

/**
 * The job `send_refund`. Fetches PayFast's refundable balance first. A refund that may have reached PayFast is not sent again
 * unless the balance shows that it did not.
 */
export async function sendRefund(refundId: string, parts: RefundParts): Promise<void> {
  const { owner, account, log } = parts
  const refund = await findOpen(owner, refundId)
  if (!refund) return
  if (account.mode !== 'live') return conclude(owner, refund, ['postpone', 'This shop is not in live mode.'])

  const balance = await fetchRefundBalance(account, refund.pf_payment_id)
  if (balance.is === 'known') {
    await (refund.state === 'requested'
      ? sendIfRefundable(refund, balance, parts)
      : compareBalance(refund, balance, parts))
  } else if (balance.is === 'refused' && refund.state === 'requested') {
    await conclude(owner, refund, ['fail', balance.message])
  } else {
    await conclude(owner, refund, ['postpone', balance.message])
  }
  log.info({ refundId, was: refund.state, balance: balance.message }, 'Processed a refund')
}

/** Sends a new refund, or fails it when PayFast cannot refund the amount. */
async function sendIfRefundable(
  refund: OpenRefund,
  balance: KnownBalance,
  parts: RefundParts,
): Promise<void> {
  const { owner } = parts
  if (!balance.canRefund(centsFromRand(refund.amount))) {
    return conclude(owner, refund, [
      'fail',
      `PayFast cannot refund this automatically (${balance.message}). Use its dashboard.`,
    ])
  }
  const values = [refund.id, available(balance), refund.other_steps]
  if (await isClaimed(owner, ['select private.claim_refund($1, $2, $3) as is_ours', ...values]))
    await sendToPayfast(refund, parts)
}

/** Decides by the balance whether a sent refund with an unknown result reached PayFast. No other refund of the payment is sent meanwhile. */
async function compareBalance(refund: OpenRefund, balance: KnownBalance, parts: RefundParts): Promise<void> {
  const { owner } = parts
  const { availableCents } = balance
  const before = centsFromRand(refund.available_before ?? '0')
  if (availableCents === before - centsFromRand(refund.amount)) {
    await conclude(owner, refund, ['finish', 'PayFast’s balance shows the refund.'])
  } else if (availableCents === before) {
    const values = [refund.id, available(balance)]
    if (await isClaimed(owner, ['select private.resend_refund($1, $2) as is_ours', ...values]))
      await sendToPayfast(refund, parts)
  } else {
    const change = `R${randText(before)} was refundable before, R${randText(availableCents)} is now`
    await conclude(owner, refund, ['postpone', `PayFast’s balance changed by a different amount: ${change}`])
  }
}

function available({ availableCents }: KnownBalance): string {
  return randText(availableCents)
}

const claimRow = z.object({ is_ours: z.boolean().nullable() })

/** Marks the refund as sent before calling PayFast, so that a crash cannot cause a second refund. Returns false if it lost a race. */
async function isClaimed(owner: Pool, claim: [text: string, ...values: unknown[]]): Promise<boolean> {
  const row = await selectRow(owner, claimRow, claim)
  return row.is_ours ?? false
}

async function sendToPayfast(refund: OpenRefund, { owner, account }: RefundParts): Promise<void> {
  const answer = await requestRefund(account, {
    paymentId: refund.pf_payment_id,
    amountCents: centsFromRand(refund.amount),
    reason: refund.reason,
  })
  const steps = { accepted: 'finish', refused: 'fail', unclear: 'postpone' } as const
  await conclude(owner, refund, [steps[answer.is], answer.message])
}

async function findOpen(owner: Pool, refundId: string): Promise<OpenRefund | undefined> {
  const [refund] = await selectRows(owner, openRefund, [
    `select r.id, p.pf_payment_id, r.amount, r.reason, r.state, (
       select e.detail ->> 'available' from public.payment_refund_events e
       where e.refund_id = r.id and e.state = 'sent' order by e.id desc limit 1) as available_before,
       private.other_refund_steps(f) as other_steps
     from public.refunds r join public.payment_refunds f on f.id = r.id join public.payments p on p.id = r.payment_id
     where r.id = $1 and r.state in ('requested', 'sent', 'unknown')`,
    refundId,
  ])
  return refund
}

/** Records what became of the refund: it is finished, has failed or is tried again later. */
async function conclude(
  owner: Pool,
  { id }: OpenRefund,
  [step, message]: readonly ['finish' | 'fail' | 'postpone', string],
): Promise<void> {
  await inTransaction(owner, (client) => client.query(`select private.${step}_refund($1, $2)`, [id, message]))
}
