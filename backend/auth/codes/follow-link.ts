import type { Context } from 'hono'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { AuthError } from '../errors.ts'
import type { AuthParts } from '../parts.ts'
import { originOf } from '../request.ts'
import { openSession } from '../sessions/open-session.ts'
import { tokenAnswer, type Grant } from '../sessions/token-answer.ts'
import { tooManyLinks } from './link-pages.ts'
import { countGuess } from './count-guess.ts'
import { issueFlowCode } from './flow-state.ts'
import { redirectOf, withFragment, withQuery } from './redirects.ts'
import { redeemCode, type LinkType } from './redeem-code.ts'

const schema = z.object({
  token: z.string().regex(/^[\w-]{1,255}$/),
  type: z.enum(['signup', 'invite', 'recovery', 'magiclink', 'email', 'email_change']),
})

type Followed =
  | { outcome: 'signed in'; grant: Grant; type: string }
  | { outcome: 'code'; code: string }
  | { outcome: 'half done' }
  | { outcome: 'refused' }

/** GET /verify, and the button of /confirm: ends at the application's page, with tokens, a code or an error. */
export async function followLink(auth: AuthParts, c: Context): Promise<Response> {
  // Mail programs send HEAD to preview a link: it uses nothing up.
  if (c.req.method === 'HEAD') return c.body(null, 200)
  c.header('Cache-Control', 'no-store')
  const guess = await countGuess(auth, originOf(c)).catch(refuseGuess)
  if (!guess) return tooManyLinks(c)
  const redirectTo = redirectOf(auth, c)
  const link = schema.safeParse(c.req.query())
  if (!link.success) return c.redirect(refusal(redirectTo, ''), 303)

  const { token, type } = link.data
  const followed = await redeemLink(auth, c, { type, secret: token }).catch(refuseKnown)
  if (followed.outcome !== 'refused') await guess.forgive()
  return c.redirect(await targetOf(auth, redirectTo, { followed, token }), 303)
}

function redeemLink(auth: AuthParts, c: Context, link: { type: LinkType; secret: string }) {
  return inTransaction(auth.database.owner, async (client): Promise<Followed> => {
    const redeemed = await redeemCode(auth, client, link)
    if (redeemed.outcome !== 'proven') return redeemed
    const { userId, flowId } = redeemed
    if (flowId) {
      const code = await issueFlowCode(client, flowId)
      return code ? { outcome: 'code', code } : { outcome: 'refused' }
    }
    const grant = await openSession(client, { userId, method: 'otp', origin: originOf(c) })
    return { outcome: 'signed in', grant, type: link.type }
  })
}

/** Null for one guess too many: a browser is shown a page then, not JSON. */
function refuseGuess(error: unknown): null {
  if (error instanceof AuthError && error.code === 'over_request_rate_limit') return null
  throw error
}

function refuseKnown(error: unknown): Followed {
  if (error instanceof AuthError) return { outcome: 'refused' }
  throw error
}

interface Visit {
  followed: Followed
  token: string
}

async function targetOf(auth: AuthParts, redirectTo: string, { followed, token }: Visit): Promise<string> {
  switch (followed.outcome) {
    case 'code':
      return withQuery(redirectTo, { code: followed.code })
    case 'half done':
      return withFragment(redirectTo, {
        message: 'Confirmation link accepted. Please proceed to confirm link sent to the other email',
      })
    case 'refused':
      return refusal(redirectTo, token)
    case 'signed in': {
      const answer = await tokenAnswer(auth, followed.grant)
      return withFragment(redirectTo, {
        access_token: answer.access_token,
        expires_at: String(answer.expires_at),
        expires_in: String(answer.expires_in),
        refresh_token: answer.refresh_token,
        token_type: answer.token_type,
        type: followed.type,
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
