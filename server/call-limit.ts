import { createMiddleware } from 'hono/factory'
import type { Pool } from 'pg'
import {
  type Caller,
  type EdgeVariables,
  type GatewayVariables,
  type Preamble,
  type RateLimit,
  rateLimitStatement,
  tryConsumeRateLimit,
} from '@saltfreak/backend'
import { type CallLimit, shopLimits, TOO_MANY_REQUESTS } from './limits.ts'

type Guarded = { Variables: EdgeVariables & GatewayVariables }
type GuardedRest = { Variables: Guarded['Variables'] & Preamble }

/** Rate-limits calls per account, or per network address without one. Mount it behind the gateway. */
export function limitCalls(owner: Pool) {
  const rpc = createMiddleware<GuardedRest, '/:name'>((c, next) => {
    const name = c.req.param('name')
    const address = c.get('remoteAddress')
    const counted = rateLimitOf(name, c.get('caller'), address)
    if (counted) {
      c.set('preamble', (_rows, body) => {
        const promo =
          name === 'place_order' && namesPromo(body) && withSubject(shopLimits.promoOrderByAddress, address)
        return rateLimitStatement(promo ? [counted, promo] : [counted], TOO_MANY_REQUESTS)
      })
    }
    return next()
  })

  const functions = createMiddleware<Guarded, '/:name'>(async (c, next) => {
    const { role, userId } = c.get('caller')
    const call = userId ? shopLimits.functionByAccount : shopLimits.functionByAddress
    const subject = userId ?? c.get('remoteAddress')
    if (c.req.method !== 'POST' || role === 'service_role' || !subject) return next()
    if (await tryConsumeRateLimit(owner, { ...call, subject })) return next()
    return c.json({ code: 'too_many_sent', message: TOO_MANY_REQUESTS }, 429)
  })
  return { rpc, functions }
}

/** Returns false for invalid JSON, which the data service refuses. Of an array, it takes the first row. */
function namesPromo(body: string): boolean {
  try {
    const sent: unknown = JSON.parse(body)
    const order: unknown = Array.isArray(sent) ? sent[0] : sent
    return typeof order === 'object' && order !== null && 'promo_code' in order && Boolean(order.promo_code)
  } catch {
    return false
  }
}

/** Returns null for the server's own calls and for read-only calls of an account. */
function rateLimitOf(name: string, { role, userId }: Caller, address: string | null): RateLimit | null {
  if (role === 'service_role') return null
  if (name === 'place_order') return withSubject(shopLimits.placeOrder, userId ?? address)
  // By account: a stranger on the customer’s network must not prevent a withdrawal.
  if (name === 'set_marketing_consent' && userId) return withSubject(shopLimits.changeConsent, userId)
  if (name === 'request_stock_alert') return withSubject(shopLimits.visitor, address)
  return role === 'anon' ? withSubject(shopLimits.rpcByAddress, address) : null
}

export function withSubject(call: CallLimit, subject: string | null): RateLimit | null {
  return subject === null ? null : { ...call, subject }
}
