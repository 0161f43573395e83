import type { Context } from 'hono'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { AuthError } from '../errors.ts'
import type { AuthContext } from '../auth-context.ts'
import { requestSource } from '../request.ts'
import { openSession } from '../sessions/open-session.ts'
import { tokenResponse, type TokenGrant } from '../sessions/token-response.ts'
import { tooManyLinks } from './link-pages.ts'
import { countGuess } from './count-guess.ts'
import { issueFlowCode } from './flow-state.ts'
import { redirectOf, withFragment, withQuery } from './redirects.ts'
import { redeemCode, type LinkType } from './redeem-code.ts'

const schema = z.object({
  token: z.string().regex(/^[\w-]{1,255}$/),
  type: z.enum(['signup', 'invite', 'recovery', 'magiclink', 'email', 'email_change']),
})

type LinkResult =
  | { outcome: 'signed in'; grant: TokenGrant; type: string }
  | { outcome: 'code'; code: string }
  | { outcome: 'partly confirmed' }
  | { outcome: 'refused' }

/** GET /verify and POST /confirm: redirects to the application's page with tokens, a code or an error. */
export async function followLink(auth: AuthContext, c: Context): Promise<Response> {
  // Mail programs preview links with HEAD, which must not consume them.
  if (c.req.method === 'HEAD') return c.body(null, 200)
  c.header('Cache-Control', 'no-store')
  const guess = await countGuess(auth, requestSource(c)).catch(nullIfTooMany)
  if (!guess) return tooManyLinks(c)
  const redirectTo = redirectOf(auth, c)
  const link = schema.safeParse(c.req.query())
  if (!link.success) return c.redirect(refusal(redirectTo, ''), 303)

  const { token, type } = link.data
  const result = await redeemLink(auth, c, { type, secret: token }).catch(refusedIfKnown)
  if (result.outcome !== 'refused') await guess.forgive()
  return c.redirect(await targetOf(auth, redirectTo, { result, token }), 303)
}

function redeemLink(auth: AuthContext, c: Context, link: { type: LinkType; secret: string }) {
  return inTransaction(auth.database.owner, async (client): Promise<LinkResult> => {
    const redeemed = await redeemCode(auth, client, link)
    if (redeemed.outcome !== 'proven') return redeemed
    const { userId, flowId } = redeemed
    if (flowId) {
      const code = await issueFlowCode(client, flowId)
      return code ? { outcome: 'code', code } : { outcome: 'refused' }
    }
    const grant = await openSession(client, { userId, method: 'otp', source: requestSource(c) })
    return { outcome: 'signed in', grant, type: link.type }
  })
}

/** Returns null for a rate limit error, because browsers get a page instead of JSON. */
function nullIfTooMany(error: unknown): null {
  if (error instanceof AuthError && error.code === 'over_request_rate_limit') return null
  throw error
}

function refusedIfKnown(error: unknown): LinkResult {
  if (error instanceof AuthError) return { outcome: 'refused' }
  throw error
}

async function targetOf(
  auth: AuthContext,
  redirectTo: string,
  { result, token }: { result: LinkResult; token: string },
): Promise<string> {
  switch (result.outcome) {
    case 'code':
      return withQuery(redirectTo, { code: result.code })
    case 'partly confirmed':
      return withFragment(redirectTo, {
        message: 'Confirmation link accepted. Please proceed to confirm link sent to the other email',
      })
    case 'refused':
      return refusal(redirectTo, token)
    case 'signed in': {
      const tokens = await tokenResponse(auth, result.grant)
      return withFragment(redirectTo, {
        access_token: tokens.access_token,
        expires_at: String(tokens.expires_at),
        expires_in: String(tokens.expires_in),
        refresh_token: tokens.refresh_token,
        token_type: tokens.token_type,
        type: result.type,
      })
    }
  }
}

function refusal(redirectTo: string, token: string): string {
  const problem = {
    error: 'access_denied',
    error_code: 'otp_expired',
    error_description: 'Email link is invalid or has expired',
  }
  const target = withFragment(redirectTo, problem)
  return token.startsWith('pkce_') ? withQuery(target, problem) : target
}
