/** PayFast's REST API: every call signed over headers, query and body together. Amounts there are cents. */
import type { PayfastAccount } from './account.ts'
import { signApiCall } from './signature.ts'

const API_URL = 'https://api.payfast.co.za'
const TIMEOUT_MS = 30_000

/** Answers the body; throws when PayFast refuses or is away. */
export async function askApi(
  account: PayfastAccount,
  path: string,
  query: Record<string, string>,
): Promise<string> {
  const url = new URL(path, account.apiUrl ?? API_URL)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  if (account.mode === 'sandbox') url.searchParams.set('testing', 'true')

  const response = await fetch(url, {
    headers: { ...signedHeaders(account, query), Accept: 'text/csv, application/json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const body = await response.text()
  if (response.status !== 200)
    throw new Error(`PayFast answered ${path} with ${response.status}: ${body.slice(0, 200)}`)
  return body
}

function signedHeaders(account: PayfastAccount, variables: Record<string, string>): Record<string, string> {
  const headers = {
    'merchant-id': account.merchantId,
    version: 'v1',
    timestamp: `${new Date().toISOString().slice(0, 19)}+00:00`,
  }
  return { ...headers, signature: signApiCall({ ...headers, ...variables }, account.passphrase ?? '') }
}
