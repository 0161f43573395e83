/** PayFast's REST API: the signature of a call covers headers, query and body. Amounts are in cents. */
import type { PayfastAccount } from './account.ts'
import { encodeParameters, signApiCall } from './signature.ts'

const API_URL = 'https://api.payfast.co.za'
const TIMEOUT_MS = 30_000

export interface ApiCall {
  path: string
  query?: Record<string, string>
  /** Sent as a form by POST; without a body, the call is a GET. */
  body?: Record<string, string>
}

export interface ApiResponse {
  status: number
  text: string
}

/** Throws when there is no response, not for an error status. */
export async function callApi(account: PayfastAccount, call: ApiCall): Promise<ApiResponse> {
  const { path, query = {}, body } = call
  const url = new URL(path, account.apiUrl ?? API_URL)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  if (account.mode === 'sandbox') url.searchParams.set('testing', 'true')

  const response = await fetch(url, {
    ...(body && { method: 'POST', body: encodeParameters(Object.entries(body)) }),
    headers: {
      ...signedHeaders(account, { ...query, ...body }),
      Accept: 'text/csv, application/json',
      ...(body && { 'Content-Type': 'application/x-www-form-urlencoded' }),
    },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  return { status: response.status, text: await response.text() }
}

/** Returns the body; throws when PayFast refuses or does not respond. */
export async function fetchFromApi(
  account: PayfastAccount,
  path: string,
  query: Record<string, string>,
): Promise<string> {
  const { status, text } = await callApi(account, { path, query })
  if (status !== 200) throw new Error(`PayFast answered ${path} with ${status}: ${text.slice(0, 200)}`)
  return text
}

function signedHeaders(account: PayfastAccount, variables: Record<string, string>): Record<string, string> {
  const headers = {
    'merchant-id': account.merchantId,
    version: 'v1',
    timestamp: `${new Date().toISOString().slice(0, 19)}+00:00`,
  }
  return { ...headers, signature: signApiCall({ ...headers, ...variables }, account.passphrase ?? '') }
}
