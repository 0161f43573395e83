import type { Pool } from 'pg'

import { centsFromRand, randText } from '#domain/money.ts'
import type { Tables } from '#database'

import type { PayfastAccount } from './account.ts'
import { askRefundBalance, giveBack, type RefundBalance } from './refunds-api.ts'

interface RefundParts {
  owner: Pool
  account: PayfastAccount
  log: { info(fields: object, message: string): void }
}

interface OpenRefund extends Pick<Tables<'refunds'>, 'id' | 'reason' | 'state'> {
  pf_payment_id: string
  amount: string
  /** What PayFast would still have given back before the last sending; rand. */
  available_before: string | null
}

type KnownBalance = Extract<RefundBalance, { is: 'known' }>

/**
 * The job `send_refund`. PayFast is always asked first what could still be given back. A refund that may have reached it
 * already is never sent on: its balance then tells whether it did.
 */
export async function sendRefund(refundId: string, parts: RefundParts): Promise<void> {
  const { owner, account, log } = parts
  const refund = await findOpen(owner, refundId)
  if (!refund) return
  if (account.mode !== 'live') return postpone(owner, refund, 'This shop is not in live mode')

  const balance = await askRefundBalance(account, refund.pf_payment_id)
  if (balance.is === 'known') {
    await (refund.state === 'requested' ? send(refund, balance, parts) : compare(refund, balance, parts))
  } else if (balance.is === 'refused' && refund.state === 'requested') {
    await fail(owner, refund, balance.words)
  } else {
    await postpone(owner, refund, balance.words)
  }
  log.info({ refundId, was: refund.state, balance: balance.words }, 'refund looked after')
}

/** Nothing is under way. */
async function send(refund: OpenRefund, balance: KnownBalance, parts: RefundParts): Promise<void> {
  const { owner } = parts
  if (!balance.canRefund(centsFromRand(refund.amount))) {
    return fail(
      owner,
      refund,
      `PayFast cannot give this back by itself (${balance.words}). Use its dashboard.`,
    )
  }
  if (await mayAsk(owner, 'private.claim_refund($1, $2)', { refund, balance })) await ask(refund, parts)
}

/** It was sent, and what became of it is not known. No other refund of this payment is sent meanwhile. */
async function compare(refund: OpenRefund, balance: KnownBalance, parts: RefundParts): Promise<void> {
  const { owner } = parts
  const { availableCents } = balance
  const before = centsFromRand(refund.available_before ?? '0')
  if (availableCents === before - centsFromRand(refund.amount)) {
    await finish(owner, refund, 'PayFast’s balance shows that it went back')
  } else if (availableCents === before) {
    if (await mayAsk(owner, 'private.resend_refund($1, $2)', { refund, balance })) await ask(refund, parts)
  } else {
    const left = `R${randText(before)} could be given back before, R${randText(availableCents)} now`
    await postpone(owner, refund, `PayFast’s balance has changed by another amount: ${left}`)
  }
}

interface Asking {
  refund: OpenRefund
  balance: KnownBalance
}

/** The row says `sent` before PayFast is asked, so that a crash in between is no second refund. */
async function mayAsk(owner: Pool, claim: string, { refund, balance }: Asking): Promise<boolean> {
  const { rows } = await owner.query<{ is_ours: boolean }>(`select ${claim} as is_ours`, [
    refund.id,
    randText(balance.availableCents),
  ])
  return rows[0]?.is_ours ?? false
}

async function ask(refund: OpenRefund, { owner, account }: RefundParts): Promise<void> {
  const answer = await giveBack(account, {
    paymentId: refund.pf_payment_id,
    amountCents: centsFromRand(refund.amount),
    reason: refund.reason,
  })
  switch (answer.is) {
    case 'accepted':
      return finish(owner, refund, answer.words)
    case 'refused':
      return fail(owner, refund, answer.words)
    case 'unclear':
      return postpone(owner, refund, answer.words)
  }
}

async function findOpen(owner: Pool, refundId: string): Promise<OpenRefund | undefined> {
  const { rows } = await owner.query<OpenRefund>(
    `select r.id, p.pf_payment_id, r.amount, r.reason, r.state, (
       select e.detail ->> 'available' from public.payment_refund_events e
       where e.refund_id = r.id and e.state = 'sent' order by e.id desc limit 1) as available_before
     from public.refunds r join public.payments p on p.id = r.payment_id
     where r.id = $1 and r.state in ('requested', 'sent', 'unknown')`,
    [refundId],
  )
  return rows[0]
}

async function finish(owner: Pool, { id }: OpenRefund, words: string): Promise<void> {
  await owner.query('select private.finish_refund($1, $2)', [id, words])
}

async function fail(owner: Pool, { id }: OpenRefund, words: string): Promise<void> {
  await owner.query('select private.fail_refund($1, $2)', [id, words])
}

async function postpone(owner: Pool, { id }: OpenRefund, words: string): Promise<void> {
  await owner.query('select private.postpone_refund($1, $2)', [id, words])
}
