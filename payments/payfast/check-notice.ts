import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'

import { inTransaction, selectRow, selectRows } from '@saltfreak/backend'
import { parseRand, randText } from '#domain/money.ts'
import type { Tables } from '#database'

import type { PayfastAccount } from './account.ts'
import { confirmWithPayfast, type NoticeConfirmation } from './confirmation.ts'
import { parseNotice } from './notice.ts'
import { checkSource } from './source.ts'

export interface CheckParts {
  owner: Pool
  account: PayfastAccount
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void }
}

const undecidedNotice = z.object({ raw_body: z.string(), source_address: z.string().nullable() })

type UndecidedNotice = z.infer<typeof undecidedNotice>

interface Check {
  name: Extract<Tables<'payment_notice_checks'>['check_name'], 'merchant' | 'source' | 'confirmation'>
  result: Tables<'payment_notice_checks'>['result']
  detail?: string
}

/** Result of one run of the job. */
interface Findings {
  checks: Check[]
  verdict: NoticeVerdict
  mPaymentId: string
}

type NoticeVerdict =
  | { is: 'not_a_payment' | 'wrong_merchant' | 'denied' | 'unreadable' | 'postpone' }
  | { is: 'apply'; payment: z.infer<typeof paymentSchema> }

const paymentSchema = z.object({
  m_payment_id: z
    .string()
    .regex(/^[A-Za-z0-9_/-]+$/)
    .catch(''),
  pf_payment_id: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/),
  amount_gross: z.string().transform(toRand),
  amount_fee: z.string().optional().transform(optionalRand),
  amount_net: z.string().optional().transform(optionalRand),
})

/** The job `check_notice`: runs every check of a stored notice except its signature. Idempotent. */
export async function checkNotice(noticeId: string, { owner, account, log }: CheckParts): Promise<void> {
  const notice = await findUndecided(owner, noticeId)
  if (!notice) return

  const findings = await runChecks(notice, account)
  const outcome = await inTransaction(owner, async (client) => {
    // Locks the notice: a second job for it waits here and finds it decided.
    await client.query('select from public.payment_notices where id = $1 for update', [noticeId])
    if (!(await findUndecided(client, noticeId))) return 'already decided'
    return storeOutcome(client, noticeId, findings)
  })
  log.info({ noticeId, outcome }, 'Checked a payment notice')
}

/** Runs outside of a transaction, because it waits for the network. */
async function runChecks(notice: UndecidedNotice, account: PayfastAccount): Promise<Findings> {
  const parsed = parseNotice(notice.raw_body)
  if (!parsed) throw new Error('Cannot parse a stored notice')
  const { fields, parameters } = parsed
  const mPaymentId = fields.get('m_payment_id') ?? ''

  const source = await checkSource(notice.source_address, account.validateUrl)
  const checks: Check[] = [{ name: 'source', ...source }]
  if (fields.get('payment_status') !== 'COMPLETE') {
    return { checks, verdict: { is: 'not_a_payment' }, mPaymentId }
  }

  const isOurs = fields.get('merchant_id') === account.merchantId
  checks.push({ name: 'merchant', result: isOurs ? 'passed' : 'failed' })
  if (!isOurs) return { checks, verdict: { is: 'wrong_merchant' }, mPaymentId }

  const confirmation = await confirmWithPayfast(account.validateUrl, parameters)
  checks.push(confirmationCheck(confirmation))
  return { checks, verdict: verdictOn(confirmation, fields), mPaymentId }
}

function verdictOn({ answer }: NoticeConfirmation, fields: ReadonlyMap<string, string>): NoticeVerdict {
  switch (answer) {
    case 'valid': {
      const payment = paymentSchema.safeParse(Object.fromEntries(fields))
      return payment.success ? { is: 'apply', payment: payment.data } : { is: 'unreadable' }
    }
    case 'invalid':
      return { is: 'denied' }
    case 'unknown':
      return { is: 'postpone' }
  }
}

async function storeOutcome(client: PoolClient, noticeId: string, findings: Findings): Promise<string> {
  for (const { name, result, detail } of findings.checks) {
    await client.query('select private.record_notice_check($1, $2, $3, $4)', [
      noticeId,
      name,
      result,
      detail ?? null,
    ])
  }
  const { verdict, mPaymentId } = findings
  switch (verdict.is) {
    case 'apply':
      return outcomeOf(client, 'private.apply_confirmed_notice($1, $2)', [noticeId, verdict.payment])
    case 'postpone':
      return outcomeOf(client, 'private.postpone_notice($1)', [noticeId])
    case 'not_a_payment':
    case 'wrong_merchant':
    case 'denied':
    case 'unreadable':
      return outcomeOf(client, 'private.decide_notice($1, $2, private.order_of_attempt($3))', [
        noticeId,
        verdict.is,
        mPaymentId,
      ])
  }
}

async function findUndecided(
  database: Pool | PoolClient,
  noticeId: string,
): Promise<UndecidedNotice | undefined> {
  const [notice] = await selectRows(database, undecidedNotice, [
    `select raw_body, source_address from public.payment_notices n
     where id = $1 and not exists (select from public.payment_notice_outcomes o where o.notice_id = n.id)`,
    noticeId,
  ])
  return notice
}

const outcomeRow = z.object({ outcome: z.string().nullable() })

async function outcomeOf(client: PoolClient, call: string, values: unknown[]): Promise<string> {
  return (await selectRow(client, outcomeRow, [`select ${call} as outcome`, ...values])).outcome ?? ''
}

function confirmationCheck(confirmation: NoticeConfirmation): Check {
  switch (confirmation.answer) {
    case 'valid':
      return { name: 'confirmation', result: 'passed' }
    case 'invalid':
      return { name: 'confirmation', result: 'failed' }
    case 'unknown':
      return { name: 'confirmation', result: 'unknown', detail: confirmation.detail }
  }
}

function toRand(text: string, context: z.RefinementCtx): string {
  const cents = /^-?\d+(\.\d{1,2})?$/.test(text) ? parseRand(text) : null
  if (cents !== null) return randText(cents)
  context.addIssue({ code: 'custom', message: 'not an amount in rand' })
  return z.NEVER
}

function optionalRand(text: string | undefined, context: z.RefinementCtx): string | null {
  return text ? toRand(text, context) : null
}
