import { availableParallelism } from 'node:os'
import { createMiddleware } from 'hono/factory'
import {
  type EdgeVariables,
  type GatewayVariables,
  networkOf,
  type Preamble,
  type RunInTurn,
} from '@saltfreak/backend'

/** The calls that everyone makes when a product goes on sale. They are short: others, such as searches, could hold up the queue. */
export const CHECKOUT_PATHS = ['/rest/v1/rpc/place_order', '/rest/v1/rpc/merge_cart', '/rest/v1/cart_items']

/**
 * Four for each core use all of it while some of them wait for the disk. More would take the cores from this process, which sends
 * the pages, take the connections from the pages' queries, and overtake each other.
 */
const AT_ONCE_ON_MACHINE = Math.max(8, 4 * availableParallelism())

/** The share of one of the machine's processes. */
export function checkoutsAtOnce(processes: number): number {
  return Math.ceil(AT_ONCE_ON_MACHINE / processes)
}

type Variables = Preamble & Partial<GatewayVariables & EdgeVariables>

interface Turn {
  /** Null for callers that are not limited. */
  caller: string | null
  begin: () => void
}

/**
 * Lets the database run few orders and additions to carts at a time; the others wait here, first come, first served. Each caller has one
 * turn at a time: its calls would wait for its own rows anyway, and it could otherwise take all turns with slow calls.
 */
export function queueCheckouts(atOnce: number) {
  const waiting: Turn[] = []
  const busy = new Set<string>()
  let running = 0

  function beginTurns(): void {
    while (running < atOnce) {
      const next = waiting.findIndex(({ caller }) => caller === null || !busy.has(caller))
      const [turn] = next < 0 ? [] : waiting.splice(next, 1)
      if (!turn) return
      running += 1
      if (turn.caller !== null) busy.add(turn.caller)
      turn.begin()
    }
  }

  function endTurn(caller: string | null): void {
    running -= 1
    if (caller !== null) busy.delete(caller)
    beginTurns()
  }

  function runInTurnOf(findCaller: () => string | null): RunInTurn {
    return async (work) => {
      const caller = findCaller()
      await new Promise<void>((begin) => {
        waiting.push({ caller, begin })
        beginTurns()
      })
      try {
        return await work()
      } finally {
        endTurn(caller)
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

/** Returns the account, or the network address without one; null with the secret key and for calls of this process. */
function callerOf({ caller, remoteAddress }: Partial<Variables>): string | null {
  if (caller?.role === 'service_role') return null
  return caller?.userId ?? (remoteAddress ? networkOf(remoteAddress) : null)
}
