/** What the gateway refuses before a service sees it. */

export interface Refusal {
  status: 401
  body: Record<string, unknown>
  headers?: Record<string, string>
}

export const noKey: Refusal = {
  status: 401,
  body: {
    message: 'No API key found in request',
    hint: 'No `apikey` request header or url param was found.',
  },
}

export const unknownKey: Refusal = {
  status: 401,
  body: { message: 'Invalid API key', hint: 'Double check the API key you send as `apikey`.' },
}

export const secretKeyInBrowser: Refusal = {
  status: 401,
  body: {
    message: 'Forbidden use of secret API key in browser',
    hint: 'Secret API keys can only be used in a protected environment and should never be used in a browser.',
  },
}

export type TokenProblem = 'expired' | 'malformed' | 'unknown key' | 'invalid' | 'unknown role'

const TOKEN_ERRORS: Record<TokenProblem, { code: string; message: string }> = {
  expired: { code: 'PGRST303', message: 'JWT expired' },
  malformed: { code: 'PGRST301', message: 'Expected 3 parts in JWT' },
  'unknown key': { code: 'PGRST301', message: 'No suitable key or wrong key type' },
  invalid: { code: 'PGRST301', message: 'JWT cryptographic operation failed' },
  'unknown role': { code: 'PGRST303', message: 'The JWT names a role that is not served' },
}

/** PostgREST's form, for services that have none of their own. */
export function tokenRefusal(problem: TokenProblem, token: string): Refusal {
  const { code, message: text } = TOKEN_ERRORS[problem]
  const message = problem === 'malformed' ? `${text}; got ${token.split('.').length}` : text
  return {
    status: 401,
    body: { code, details: null, hint: null, message },
    headers: { 'WWW-Authenticate': `Bearer error="invalid_token", error_description="${message}"` },
  }
}

export function answerRefusal({ status, body, headers }: Refusal): Response {
  return Response.json(body, headers ? { status, headers } : { status })
}
