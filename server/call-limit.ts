import { createMiddleware } from 'hono/factory'
import type { Pool } from 'pg'
import { countTry, requireTry } from '#backend/auth/limits/take-try.ts'
import type { Limit } from '#backend/auth/settings.ts'
import type { EdgeVariables } from '#backend/http/edge.ts'
import type { GatewayVariables } from '#backend/http/gateway.ts'
import type { Beforehand } from '#backend/rest/create-rest.ts'

type Guarded = { Variables: EdgeVariables & GatewayVariables }
type GuardedRest = { Variables: Guarded['Variables'] & Beforehand }

interface CallLimit {
  bucket: string
  limit: Limit
}

/** A refused order is undone with everything it counted, so what a caller may learn from refusals is counted here. */
const ORDERS: CallLimit = { bucket: 'place_order', limit: { tries: 120, periodSeconds: 3600 } }
/** Each may end in a mail; one bucket with what visitors write to tables. */
const ALERTS: CallLimit = { bucket: 'visitor', limit: { tries: 60, periodSeconds: 3600 } }
const LIMITED: Record<string, CallLimit> = { place_order: ORDERS, request_stock_alert: ALERTS }

/** An account is one person, who may ship a hundred orders in an hour. */
const FUNCTIONS_PER_ACCOUNT: CallLimit = { bucket: 'function', limit: { tries: 600, periodSeconds: 3600 } }
/** Wide, because a mobile network is one address. */
const FUNCTIONS_PER_ADDRESS: CallLimit = {
  bucket: 'function by visitor',
  limit: { tries: 120, periodSeconds: 3600 },
}

/** Behind the gateway: counts calls by account, and by network address where there is none. */
export function limitCalls(owner: Pool) {
  const rpc = createMiddleware<GuardedRest, '/:name'>((c, next) => {
    const name = c.req.param('name')
    const call = Object.hasOwn(LIMITED, name) ? LIMITED[name] : undefined
    const { role, userId } = c.get('caller')
    const subject = call === ALERTS ? c.get('remoteAddress') : (userId ?? c.get('remoteAddress'))
    if (call && role !== 'service_role' && subject) {
      c.set('beforehand', requireTry({ ...call, subject }, MESSAGE))
    }
    return next()
  })

  const functions = createMiddleware<Guarded, '/:name'>(async (c, next) => {
    const { role, userId } = c.get('caller')
    const call = userId ? FUNCTIONS_PER_ACCOUNT : FUNCTIONS_PER_ADDRESS
    const subject = userId ?? c.get('remoteAddress')
    if (c.req.method !== 'POST' || role === 'service_role' || !subject) return next()
    if (await countTry(owner, { ...call, subject })) return next()
    return c.json({ code: 'too_many_sent', message: MESSAGE }, 429)
  })
  return { rpc, functions }
}

const MESSAGE = 'Very much was sent. Please try again later.'
