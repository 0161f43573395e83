/**
 * PayFast's refunds API: the refundable balance of a payment, and refunds.
 *
 * Only PayFast's own JSON counts as a result. After a firewall's page, a gateway error or a timeout it is unknown whether the
 * money moved: the result is `unclear`, not `refused`.
 */
import { z } from 'zod'
import { errorMessage } from '@saltfreak/backend'

import type { PayfastAccount } from './account.ts'
import { type ApiResponse, type ApiCall, callApi } from './api.ts'

export type RefundBalance =
  | { is: 'known'; availableCents: number; canRefund: (amountCents: number) => boolean; message: string }
  | { is: 'refused' | 'unclear'; message: string }

export type RefundResult = { is: 'accepted' | 'refused' | 'unclear'; message: string }

/** With these statuses, PayFast itself refused the request and did nothing. */
const REFUSAL_STATUSES = new Set([400, 401, 404])
const MAX_MESSAGE_LENGTH = 200

const METHOD = z.object({ method: z.string() }).optional()
const balanceSchema = z.object({
  amount_available_for_refund: z.coerce.number().int().nonnegative(),
  status: z.enum(['REFUNDABLE', 'COMPLETED', 'NOT_AVAILABLE']),
  errors: z.array(z.unknown()).optional(),
  refund_full: METHOD,
  refund_partial: METHOD,
})
const wrappedBalance = z.object({ data: z.object({ response: balanceSchema }) })

const answerSchema = z.object({
  status: z.string(),
  data: z
    .object({ response: z.unknown(), message: z.unknown() })
    .partial()
    .or(z.string().transform((message) => ({ response: undefined, message })))
    .optional(),
})

export async function fetchRefundBalance(account: PayfastAccount, paymentId: string): Promise<RefundBalance> {
  const answer = await callOrError(account, { path: `/refunds/query/${encodeURIComponent(paymentId)}` })
  if ('message' in answer) return { is: 'unclear', message: answer.message }
  const json = parseJson(answer.text)
  const bare = balanceSchema.safeParse(json)
  const balance = bare.success ? bare.data : wrappedBalance.safeParse(json).data?.data.response
  if (answer.status === 200 && balance) return readBalance(balance)
  return { is: isRefusal(answer) ? 'refused' : 'unclear', message: messageOf(answer) }
}

export async function requestRefund(
  account: PayfastAccount,
  refund: { paymentId: string; amountCents: number; reason: string },
): Promise<RefundResult> {
  const answer = await callOrError(account, {
    path: `/refunds/${encodeURIComponent(refund.paymentId)}`,
    // The shop sends its own e-mail to the buyer.
    body: { amount: String(refund.amountCents), reason: refund.reason, notify_buyer: '0' },
  })
  if ('message' in answer) return { is: 'unclear', message: answer.message }
  const read = answerSchema.safeParse(parseJson(answer.text))
  const isAccepted = read.success && read.data.status === 'success' && read.data.data?.response !== false
  if (answer.status === 200 && isAccepted) return { is: 'accepted', message: messageOf(answer) }
  return { is: isRefusal(answer) ? 'refused' : 'unclear', message: messageOf(answer) }
}

function readBalance(balance: z.infer<typeof balanceSchema>): RefundBalance {
  const { amount_available_for_refund: availableCents, status, refund_full, refund_partial, errors } = balance
  const message = [status, ...(errors ?? [])].map(String).join(': ').slice(0, MAX_MESSAGE_LENGTH)
  // Excludes payouts to a bank account, which need the buyer's account number.
  const canRefund = (amountCents: number) =>
    status === 'REFUNDABLE' &&
    amountCents <= availableCents &&
    (amountCents === availableCents ? refund_full : refund_partial)?.method === 'PAYMENT_SOURCE'
  return { is: 'known', availableCents, canRefund, message }
}

async function callOrError(
  account: PayfastAccount,
  call: ApiCall,
): Promise<ApiResponse | { message: string }> {
  try {
    return await callApi(account, call)
  } catch (error) {
    // A network error: it is unknown whether the call arrived.
    return { message: errorMessage(error) }
  }
}

function isRefusal({ status, text }: ApiResponse): boolean {
  const read = answerSchema.safeParse(parseJson(text))
  return read.success && read.data.status === 'failed' && (REFUSAL_STATUSES.has(status) || status === 200)
}

function messageOf({ status, text }: ApiResponse): string {
  const message = answerSchema.safeParse(parseJson(text)).data?.data?.message
  return `HTTP ${status}: ${typeof message === 'string' ? message : text}`.slice(0, MAX_MESSAGE_LENGTH)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // PayFast's own responses are always JSON.
  }
}
