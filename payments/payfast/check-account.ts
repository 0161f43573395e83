import type { PayfastAccount } from './account.ts'
import { callApi } from './api.ts'
import { askPayfast } from './confirmation.ts'

export interface AccountCheck {
  asked: string
  isFine: boolean
  answer: string
}

/** Asks PayFast what an admin wants to know before the first order: is it there, and are merchant and passphrase its own? */
export async function checkAccount(account: PayfastAccount): Promise<AccountCheck[]> {
  if (account.mode === 'simulator') {
    return [
      { asked: 'The payment simulator', isFine: true, answer: 'Answers in PayFast’s place; no money moves.' },
    ]
  }
  const checks = [await checkNotices(account)]
  // Only a live account has a history to ask for.
  return account.mode === 'live' ? [...checks, await checkCredentials(account)] : checks
}

/** A notice that PayFast never sent must be called invalid; any other answer means that real ones could not be confirmed. */
async function checkNotices({ validateUrl }: PayfastAccount): Promise<AccountCheck> {
  const confirmation = await askPayfast(validateUrl, 'm_payment_id=settings-test')
  const isFine = confirmation.answer === 'invalid'
  const answer = confirmation.answer === 'unknown' ? confirmation.detail : 'Answers as it should.'
  return {
    asked: 'Confirming payments',
    isFine,
    answer: confirmation.answer === 'valid' ? 'Confirmed a payment that never was.' : answer,
  }
}

/** Signed with merchant and passphrase: a wrong one is refused. */
async function checkCredentials(account: PayfastAccount): Promise<AccountCheck> {
  const asked = 'Merchant and passphrase'
  try {
    const today = new Date().toISOString().slice(0, 10)
    const { status } = await callApi(account, {
      path: '/transactions/history',
      query: { from: today, to: today },
    })
    const isFine = status === 200
    return { asked, isFine, answer: isFine ? 'Known to PayFast.' : `Refused with ${status}.` }
  } catch (error) {
    return { asked, isFine: false, answer: error instanceof Error ? error.message : String(error) }
  }
}
