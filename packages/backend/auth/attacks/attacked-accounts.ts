import type { AuthMail, MailKind } from '#backend/auth/mail.ts'
import type { AuthSettingsInput } from '#backend/auth/settings.ts'
import { openAuth, PUBLIC_URL, type TestAuth } from '#backend/testing/auth.ts'

export const PASSWORD = 'salt-water-42'

interface AttackRequest {
  bearer?: string
  body?: object
  /** The network address that the request comes from. */
  from?: string
}

export interface AttackResponse {
  status: number
  location: string | null
  headers: Headers
  text: string
  /** Parsed JSON; `{}` for a page or a redirect. */
  body: ReturnType<typeof JSON.parse>
}

export interface AttackedAccounts extends TestAuth {
  /** One plain HTTP request to `/auth/v1`, as an attacker's script sends it. */
  call(this: void, method: string, path: string, call?: AttackRequest): Promise<AttackResponse>
  /** A new account; returns the tokens of its first session. */
  signUp(this: void, email: string): Promise<Tokens>
  /** A new account whose owner has verified the mailbox before; returns the tokens of its first session. */
  signUpVerified(this: void, email: string): Promise<Tokens>
  signIn(this: void, email: string, password?: string): Promise<AttackResponse>
  /** The newest mail of a type. */
  mailTo(this: void, to: string, kind?: MailKind): AuthMail
}

export interface Tokens {
  access: string
  refresh: string
}

/** The accounts service as the shop runs it, reached by HTTP requests from chosen network addresses. */
export async function openAttackedAccounts(
  settings: AuthSettingsInput = {},
  options: { hasPhones?: boolean } = {},
): Promise<AttackedAccounts> {
  const given: AuthSettingsInput = { minimumResponseMs: 0, isEmailChangeMailed: true, ...settings }
  const auth = await openAuth(given, options)
  const app = auth.anotherProcess()

  const call: AttackedAccounts['call'] = async (method, path, { bearer, body, from } = {}) => {
    const headers = new Headers(bearer ? { authorization: `Bearer ${bearer}` } : {})
    headers.set('x-forwarded-for', from ?? '192.0.2.1')
    const url = path.startsWith('http') ? path : `${PUBLIC_URL}/auth/v1${path}`
    const answer = await app.request(url, { method, headers, body: body && JSON.stringify(body) })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json')
    return {
      status: answer.status,
      location: answer.headers.get('location'),
      headers: answer.headers,
      text,
      body: isJson ? JSON.parse(text) : {},
    }
  }
  async function signUp(email: string): Promise<Tokens> {
    const { body } = await call('POST', '/signup', { body: { email, password: PASSWORD } })
    return tokensIn(body)
  }
  return {
    ...auth,
    call,
    signUp,
    async signUpVerified(email) {
      const tokens = await signUp(email)
      await auth.database.owner.query(
        `insert into auth.mailbox_proofs (user_id, email, method)
         select id, email, 'confirmation' from auth.users where email = $1`,
        [email],
      )
      return tokens
    },
    signIn: (email, password = PASSWORD) =>
      call('POST', '/token?grant_type=password', { body: { email, password } }),
    mailTo(to, kind) {
      const mail = auth.mails.findLast((one) => one.to === to && (kind === undefined || one.kind === kind))
      if (!mail) throw new Error(`no mail to ${to}`)
      return mail
    },
  }
}

export function tokensIn({ access_token: access, refresh_token: refresh }: AttackResponse['body']): Tokens {
  if (!access || !refresh) throw new Error('not signed in')
  return { access, refresh }
}

/** The secret token in a mailed link. */
export function secretIn({ link }: AuthMail): string {
  return new URL(link ?? '').searchParams.get('token') ?? ''
}

/** Whether following the link signed the browser in, by tokens or by a code to exchange. */
export function isSignedIn({ location, body }: AttackResponse): boolean {
  return /[#&?](access_token|code)=/.test(location ?? '') || body.access_token !== undefined
}

const generous = { tries: 1_000_000, periodSeconds: 1 }

/** Settings for attacks that do not test rate limits. */
export const unlimited = {
  attemptsPerAddress: generous,
  refreshesPerSession: generous,
  refreshesPerAddress: generous,
  failuresPerAccount: generous,
  factorGuessesPerNetwork: generous,
  factorGuessesPerAccount: generous,
  recoveryGuessesPerNetwork: generous,
  recoveryGuessesPerAccount: generous,
  wrongSecretsPerAddress: generous,
  wrongCodesPerAccount: generous,
  addressChangesPerAccount: generous,
  mailsPerAccount: generous,
  mailsPerAccountAndHour: generous,
  mailsPerAccountAndDay: generous,
}
