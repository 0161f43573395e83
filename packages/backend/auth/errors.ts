/**
 * GoTrue's errors. Requests with `X-Supabase-Api-Version: 2024-01-01` or newer get `{ code, message }` and the version in the same
 * header; others get the older `{ code: <status>, error_code, msg }`.
 */
const API_VERSION = '2024-01-01'

const STATUS = {
  bad_code_verifier: 400,
  flow_state_expired: 400,
  flow_state_not_found: 404,
  otp_disabled: 422,
  reauthentication_needed: 400,
  reauthentication_not_valid: 422,
  anonymous_provider_disabled: 422,
  bad_json: 400,
  bad_jwt: 403,
  email_address_invalid: 400,
  email_exists: 422,
  email_not_confirmed: 400,
  insufficient_aal: 401,
  invalid_credentials: 400,
  manual_linking_disabled: 404,
  method_not_allowed: 405,
  mfa_challenge_expired: 422,
  mfa_factor_name_conflict: 422,
  mfa_factor_not_found: 404,
  mfa_ip_address_mismatch: 422,
  mfa_phone_enroll_not_enabled: 422,
  mfa_phone_verify_not_enabled: 422,
  mfa_verification_failed: 422,
  mfa_webauthn_enroll_not_enabled: 422,
  mfa_webauthn_verify_not_enabled: 422,
  no_authorization: 401,
  not_admin: 403,
  otp_expired: 403,
  over_email_send_rate_limit: 429,
  over_request_rate_limit: 429,
  over_sms_send_rate_limit: 429,
  phone_provider_disabled: 400,
  provider_disabled: 400,
  refresh_token_already_used: 400,
  refresh_token_not_found: 400,
  request_timeout: 504,
  request_too_large: 413,
  route_not_found: 404,
  same_password: 422,
  saml_provider_disabled: 404,
  session_expired: 400,
  session_not_found: 403,
  signup_disabled: 422,
  too_many_enrolled_mfa_factors: 422,
  unexpected_failure: 500,
  user_already_exists: 422,
  user_banned: 400,
  user_not_found: 403,
  validation_failed: 400,
  weak_password: 422,
  web3_provider_disabled: 422,
} as const

export type AuthErrorCode = keyof typeof STATUS

interface Extra {
  status?: number
  /** Further members of the body. */
  detail?: Record<string, unknown>
  headers?: Record<string, string>
  cause?: unknown
}

/** An error of the protocol; `createAuth` converts it into the response. */
export class AuthError extends Error {
  readonly code: AuthErrorCode
  readonly status: number
  readonly detail: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(
    code: AuthErrorCode,
    message: string,
    { status, detail = {}, headers = {}, cause }: Extra = {},
  ) {
    super(message, { cause })
    this.code = code
    this.status = status ?? STATUS[code]
    this.detail = detail
    this.headers = headers
  }
}

export function authErrorResponse(error: AuthError, request: Request): Response {
  const headers = new Headers({ 'x-sb-error-code': error.code, ...error.headers })
  const { status, code, message, detail } = error
  const requestedVersion = request.headers.get('x-supabase-api-version')
  if (requestedVersion === null || !(requestedVersion >= API_VERSION)) {
    return Response.json({ code: status, error_code: code, msg: message, ...detail }, { status, headers })
  }
  headers.set('x-supabase-api-version', API_VERSION)
  return Response.json({ code, message, ...detail }, { status, headers })
}

export function invalidInput(message: string): AuthError {
  return new AuthError('validation_failed', message)
}
