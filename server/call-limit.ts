import { createMiddleware } from 'hono/factory'
import type { Pool } from 'pg'
import { tryConsumeRateLimit, rateLimitStatement, type RateLimit } from '#backend/auth/limits/rate-limit.ts'
import type { Caller } from '#backend/http/caller.ts'
import type { EdgeVariables } from '#backend/http/edge.ts'
import type { GatewayVariables } from '#backend/http/gateway.ts'
import type { Preamble } from '#backend/rest/create-rest.ts'
import { type CallLimit, shopLimits, TOO_MANY } from './limits.ts'

type Guarded = { Variables: EdgeVariables & GatewayVariables }
type GuardedRest = { Variables: Guarded['Variables'] & Preamble }

/** Behind the gateway: counts calls by account, and by network address where there is none. */
export function limitCalls(owner: Pool) {
  const rpc = createMiddleware<GuardedRest, '/:name'>((c, next) => {
    const name = c.req.param('name')
    const address = c.get('remoteAddress')
    const counted = countedCall(name, c.get('caller'), address)
    if (counted) {
      c.set('preamble', (_rows, body) => {
        const promo =
          name === 'place_order' && namesPromo(body) && withSubject(shopLimits.promoOrderByAddress, address)
        return rateLimitStatement(promo ? [counted, promo] : [counted], TOO_MANY)
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
    return c.json({ code: 'too_many_sent', message: TOO_MANY }, 429)
  })
  return { rpc, functions }
}

/** Whether an order names a promo code. Text that is not JSON names none: the data service refuses it. */
function namesPromo(body: string): boolean {
  try {
    const given: unknown = JSON.parse(body)
    return typeof given === 'object' && given !== null && 'promo_code' in given && Boolean(given.promo_code)
  } catch {
    return false
  }
}

/** Null for the server's own calls and for reads by an account. */
function countedCall(name: string, { role, userId }: Caller, address: string | null): RateLimit | null {
  if (role === 'service_role') return null
  if (name === 'place_order') return withSubject(shopLimits.placeOrder, userId ?? address)
  if (name === 'request_stock_alert') return withSubject(shopLimits.visitor, address)
  return role === 'anon' ? withSubject(shopLimits.rpcByAddress, address) : null
}

function withSubject(call: CallLimit, subject: string | null): RateLimit | null {
  return subject === null ? null : { ...call, subject }
}
