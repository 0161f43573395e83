import { availableParallelism } from 'node:os'
import { createMiddleware } from 'hono/factory'
import type { RunInTurn, Preamble } from '@saltfreak/backend'

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

/** Lets the database run few orders and additions to carts at a time; the others wait here, first come, first served. */
export function queueCheckouts(atOnce: number) {
  const waiting: (() => void)[] = []
  let running = 0

  const runInTurn: RunInTurn = async (work) => {
    if (running < atOnce) running += 1
    else await new Promise<void>((proceed) => waiting.push(proceed))
    try {
      return await work()
    } finally {
      // Hands the turn over instead of freeing it, so that a new call cannot overtake a waiting one.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }

  return createMiddleware<{ Variables: Preamble }>((c, next) => {
    if (c.req.method === 'POST') c.set('runInTurn', runInTurn)
    return next()
  })
}
