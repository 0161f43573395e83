import type { Pool } from 'pg'

import type { RunInTurn } from '@saltfreak/backend'

/** Of the worker lock, LISTEN and an upload, and one for all other work. */
const OTHER_CONNECTIONS = 4

/**
 * Returns a function that runs deliveries in turn. Each keeps a connection of `pool` until the mail server answers: without a limit, a
 * mail server that hangs would take all connections of a small pool, and with them sign-in and `/readyz`.
 */
export function limitDeliveries({ options }: Pool): RunInTurn {
  const waiting: (() => void)[] = []
  let free = Math.max(1, options.max - OTHER_CONNECTIONS)
  return async (deliver) => {
    if (free > 0) free -= 1
    else await new Promise<void>((proceed) => waiting.push(proceed))
    try {
      return await deliver()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    }
  }
}
