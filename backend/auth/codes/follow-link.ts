import type { Context } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { AuthError } from '../errors.ts'
import type { AuthParts } from '../parts.ts'
import { originOf } from '../request.ts'
import { openSession } from '../sessions/open-session.ts'
import { tokenAnswer, type Grant } from '../sessions/token-answer.ts'
import { issueFlowCode } from './flow-state.ts'
import { redirectOf, withFragment, withQuery } from './redirects.ts'
import { redeemCode } from './redeem-code.ts'

const schema = z.object({
  token: z.string().regex(/^\w{1,255}$/),
  type: z.enum(['signup', 'invite', 'recovery', 'magiclink', 'email', 'email_change']),
})

type Followed =
  | { outcome: 'signed in'; grant: Grant; type: string }
  | { outcome: 'code'; code: string }
  | { outcome: 'half done' }
  | { outcome: 'refused' }

/** GET /verify, and the button of /confirm: always ends at the application's page, with tokens, a code or an error. */
export async function followLink(auth: AuthParts, c: Context): Promise<Response> {
  // A HEAD is somebody looking, never somebody coming.
  if (c.req.method === 'HEAD') return c.body(null, 200)
  const link = schema.safeParse(c.req.query())
  const redirectTo = redirectOf(auth, c)
  c.header('Cache-Control', 'no-store')
  if (!link.success) return c.redirect(refusal(redirectTo, ''), 303)

  const { token, type } = link.data
  const followed = await inTransaction(auth.database.owner, async (client): Promise<Followed> => {
    const redeemed = await redeemCode(auth, client, { type, hash: token })
    if (redeemed.outcome !== 'proven') return redeemed
    const { userId, isForVerifier } = redeemed
    const code = isForVerifier ? await issueFlowCode(client, userId, type) : null
    if (code) return { outcome: 'code', code }
    const grant = await openSession(client, { userId, method: 'otp', origin: originOf(c) })
    return { outcome: 'signed in', grant, type }
  }).catch(refuseKnown)
  return c.redirect(await targetOf(auth, redirectTo, { followed, token }), 303)
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

/**
 * GET /confirm: a page with one button. Programs that open links in mails to look for viruses do not press it, so the
 * code is still there for the person it was sent to.
 */
export async function confirmPage({ settings }: AuthParts, c: Context): Promise<Response> {
  c.header('Cache-Control', 'no-store')
  c.header('Referrer-Policy', 'no-referrer')
  c.header('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
  return c.html(await (settings.confirmPage ?? plainPage)(c.req.query('type') ?? ''))
}

function plainPage() {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="robots" content="noindex" />
        <title>One more step</title>
        <style>
          body {
            font:
              1.125rem/1.5 system-ui,
              sans-serif;
            display: grid;
            place-items: center;
            min-height: 90vh;
            margin: 1rem;
            text-align: center;
          }
          button {
            font: inherit;
            padding: 0.75rem 2rem;
          }
        </style>
      </head>
      <body>
        <form method="post">
          <h1>One more step</h1>
          <p>Continue to confirm that you asked for this e-mail.</p>
          <button>Continue</button>
        </form>
      </body>
    </html>`
}
