/** Errors with which the gateway refuses a request before a service sees it. */

export interface Unauthorized {
  status: 401
  body: Record<string, unknown>
  headers?: Record<string, string>
}

export const noKey: Unauthorized = {
  status: 401,
  body: {
    message: 'No API key found in request',
    hint: 'No `apikey` request header or url param was found.',
  },
}

export const unknownKey: Unauthorized = {
  status: 401,
  body: { message: 'Invalid API key', hint: 'Double check the API key you send as `apikey`.' },
}

export const secretKeyInBrowser: Unauthorized = {
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

/** Returns the error in PostgREST's format, for services without their own. */
export function tokenError(problem: TokenProblem, token: string): Unauthorized {
  const { code, message: text } = TOKEN_ERRORS[problem]
  const message = problem === 'malformed' ? `${text}; got ${token.split('.').length}` : text
  return {
    status: 401,
    body: { code, details: null, hint: null, message },
    headers: { 'WWW-Authenticate': `Bearer error="invalid_token", error_description="${message}"` },
  }
}

export function unauthorizedResponse({ status, body, headers }: Unauthorized): Response {
  return Response.json(body, headers ? { status, headers } : { status })
}
