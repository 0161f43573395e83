/**
 * PayFast's refunds interface: what could still be given back of a payment, and giving it back.
 *
 * An answer counts only when it is PayFast's own JSON. A firewall's page, a gateway's error or silence leaves open
 * whether the money moved, and is told apart from a refusal in words.
 */
import { z } from 'zod'

import type { PayfastAccount } from './account.ts'
import { type ApiAnswer, type ApiCall, callApi } from './api.ts'

export type RefundBalance =
  | { is: 'known'; availableCents: number; canRefund: (amountCents: number) => boolean; words: string }
  | { is: 'refused' | 'unclear'; words: string }

export type RefundAnswer = { is: 'accepted' | 'refused' | 'unclear'; words: string }

/** Statuses with which PayFast itself says that a request is wrong; it has then done nothing. */
const REFUSING = new Set([400, 401, 404])
const WORDS_SHOWN = 200

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

export async function askRefundBalance(account: PayfastAccount, paymentId: string): Promise<RefundBalance> {
  const answer = await answerTo(account, { path: `/refunds/query/${encodeURIComponent(paymentId)}` })
  if ('words' in answer) return { is: 'unclear', words: answer.words }
  const json = parseJson(answer.text)
  const bare = balanceSchema.safeParse(json)
  const balance = bare.success ? bare.data : wrappedBalance.safeParse(json).data?.data.response
  if (answer.status === 200 && balance) return readBalance(balance)
  return { is: isBackendError(answer) ? 'refused' : 'unclear', words: wordsOf(answer) }
}

export async function giveBack(
  account: PayfastAccount,
  refund: { paymentId: string; amountCents: number; reason: string },
): Promise<RefundAnswer> {
  const answer = await answerTo(account, {
    path: `/refunds/${encodeURIComponent(refund.paymentId)}`,
    // The shop mails the buyer itself, with its own words.
    body: { amount: String(refund.amountCents), reason: refund.reason, notify_buyer: '0' },
  })
  if ('words' in answer) return { is: 'unclear', words: answer.words }
  const read = answerSchema.safeParse(parseJson(answer.text))
  const saysYes = read.success && read.data.status === 'success' && read.data.data?.response !== false
  if (answer.status === 200 && saysYes) return { is: 'accepted', words: wordsOf(answer) }
  return { is: isBackendError(answer) ? 'refused' : 'unclear', words: wordsOf(answer) }
}

function readBalance(balance: z.infer<typeof balanceSchema>): RefundBalance {
  const { amount_available_for_refund: availableCents, status, refund_full, refund_partial, errors } = balance
  const words = [status, ...(errors ?? [])].map(String).join(': ').slice(0, WORDS_SHOWN)
  // A payout to a bank account needs the buyer's account number, which the shop does not have.
  const canRefund = (amountCents: number) =>
    status === 'REFUNDABLE' &&
    amountCents <= availableCents &&
    (amountCents === availableCents ? refund_full : refund_partial)?.method === 'PAYMENT_SOURCE'
  return { is: 'known', availableCents, canRefund, words }
}

async function answerTo(account: PayfastAccount, call: ApiCall): Promise<ApiAnswer | { words: string }> {
  try {
    return await callApi(account, call)
  } catch (error) {
    // The world outside is broken, not we: whether the call arrived is not known.
    return { words: error instanceof Error ? error.message : String(error) }
  }
}

function isBackendError({ status, text }: ApiAnswer): boolean {
  const read = answerSchema.safeParse(parseJson(text))
  return read.success && read.data.status === 'failed' && (REFUSING.has(status) || status === 200)
}

function wordsOf({ status, text }: ApiAnswer): string {
  const message = answerSchema.safeParse(parseJson(text)).data?.data?.message
  return `HTTP ${status}: ${typeof message === 'string' ? message : text}`.slice(0, WORDS_SHOWN)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // Not JSON is an answer too, and never PayFast's.
  }
}
