import { createMiddleware } from 'hono/factory'
import {
  type EdgeVariables,
  type GatewayVariables,
  type Preamble,
  type RunInTurn,
  siteOf,
} from '@saltfreak/backend'

/** The calls that everyone makes when a product goes on sale. They are short: others, such as searches, could hold up the queue. */
export const CHECKOUT_PATHS = ['/rest/v1/rpc/place_order', '/rest/v1/rpc/merge_cart', '/rest/v1/cart_items']

type Variables = Preamble & Partial<GatewayVariables & EdgeVariables>

export interface CheckoutTurns {
  atOnce: number
  /** Of all callers of one address. */
  ofAddress: number
}

interface Caller {
  /** The account, or the network without one; null for callers that are not limited. */
  caller: string | null
  network: string | null
}

interface Turn extends Caller {
  begin: () => void
}

/**
 * Lets the database run few orders and additions to carts at a time; the others wait here, first come, first served. Each caller has one
 * turn at a time: its calls would wait for its own rows anyway. The accounts of one address never have all turns: they cost nothing, and
 * slow calls would hold up the orders of everyone.
 */
export function queueCheckouts({ atOnce, ofAddress }: CheckoutTurns) {
  const waiting: Turn[] = []
  const running = new Set<Turn>()

  function mayBegin({ caller, network }: Turn): boolean {
    if (caller === null) return true
    const turns = [...running]
    if (turns.some((turn) => turn.caller === caller)) return false
    return network === null || turns.filter((turn) => turn.network === network).length < ofAddress
  }

  function beginTurns(): void {
    while (running.size < atOnce) {
      const next = waiting.findIndex(mayBegin)
      const [turn] = next < 0 ? [] : waiting.splice(next, 1)
      if (!turn) return
      running.add(turn)
      turn.begin()
    }
  }

  function runInTurnOf(findCaller: () => Caller): RunInTurn {
    return async (work) => {
      const { promise, resolve: begin } = Promise.withResolvers<void>()
      const turn = { ...findCaller(), begin }
      waiting.push(turn)
      beginTurns()
      await promise
      try {
        return await work()
      } finally {
        running.delete(turn)
        beginTurns()
      }
    }
  }

  return createMiddleware<{ Variables: Variables }>((c, next) => {
    // The caller is known when the call asks for its turn, not yet here.
    if (c.req.method === 'POST')
      c.set(
        'runInTurn',
        runInTurnOf(() => callerOf(c.var)),
      )
    return next()
  })
}

/** Calls with the secret key and those of this process are not limited. */
function callerOf({ caller, remoteAddress }: Partial<Variables>): Caller {
  if (caller?.role === 'service_role') return { caller: null, network: null }
  // With turns for each /64, one customer could have all of them.
  const network = remoteAddress ? siteOf(remoteAddress) : null
  return { caller: caller?.userId ?? network, network }
}
