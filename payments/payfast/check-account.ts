import { errorMessage } from '@saltfreak/backend'
import type { AccountCheck } from '#domain/function-results.ts'
import type { PayfastAccount } from './account.ts'
import { callApi } from './api.ts'
import { confirmWithPayfast } from './confirmation.ts'

/** Checks before the first order whether PayFast is reachable and accepts merchant and passphrase. */
export async function checkAccount(account: PayfastAccount): Promise<AccountCheck[]> {
  if (account.mode === 'simulator') {
    return [
      { asked: 'The payment simulator', isFine: true, answer: 'Stands in for PayFast; no money moves.' },
    ]
  }
  const checks = [await checkNotices(account)]
  // Only a live account has a transaction history.
  return account.mode === 'live' ? [...checks, await checkCredentials(account)] : checks
}

/** PayFast must call an invented notice invalid; after any other answer, real notices could not be confirmed. */
async function checkNotices({ validateUrl }: PayfastAccount): Promise<AccountCheck> {
  const confirmation = await confirmWithPayfast(validateUrl, 'm_payment_id=settings-test')
  const isFine = confirmation.answer === 'invalid'
  const answer = confirmation.answer === 'unknown' ? confirmation.detail : 'Working.'
  return {
    asked: 'Confirming payments',
    isFine,
    answer: confirmation.answer === 'valid' ? 'PayFast confirmed a payment that does not exist.' : answer,
  }
}

/** PayFast refuses a call that is signed with a wrong merchant or passphrase. */
async function checkCredentials(account: PayfastAccount): Promise<AccountCheck> {
  const asked = 'Merchant and passphrase'
  try {
    const today = new Date().toISOString().slice(0, 10)
    const { status } = await callApi(account, {
      path: '/transactions/history',
      query: { from: today, to: today },
    })
    const isFine = status === 200
    return {
      asked,
      isFine,
      answer: isFine ? 'Accepted by PayFast.' : `PayFast refused them (status ${status}).`,
    }
  } catch (error) {
    return { asked, isFine: false, answer: errorMessage(error) }
  }
}
