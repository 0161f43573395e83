import { createMiddleware } from 'hono/factory'

import type { EdgeVariables } from './edge.ts'
import type { GatewayVariables } from './gateway.ts'
import { networkOf } from './network.ts'

interface CallerConcurrency {
  /** Calls of one caller that run at the same time. */
  atOnce: number
  /** Calls of one caller that wait for their turn; further ones are refused. */
  waiting: number
}

export interface Concurrency {
  /** Of one network address without an account. */
  address: CallerConcurrency
  account: CallerConcurrency
}

interface Line {
  running: number
  waiting: (() => void)[]
}

/**
 * Runs at most `atOnce` calls of one caller at a time, so that one caller's slow calls leave connections and processor time to the
 * others. A caller is an account, or a network address where there is none. The process's own calls and those with the secret
 * key are not limited. Behind the gateway.
 */
export function limitConcurrency(limits: Concurrency) {
  const lines = new Map<string, Line>()

  /** False when the line is full. */
  async function enter(subject: string, { atOnce, waiting }: CallerConcurrency): Promise<boolean> {
    const line = lines.get(subject) ?? { running: 0, waiting: [] }
    lines.set(subject, line)
    if (line.running < atOnce) {
      line.running += 1
      return true
    }
    if (line.waiting.length >= waiting) return false
    await new Promise<void>((proceed) => line.waiting.push(proceed))
    return true
  }

  function leave(subject: string): void {
    const line = lines.get(subject)
    if (!line) return
    // The place is handed over instead of freed, so that a new call cannot overtake one that waits.
    const next = line.waiting.shift()
    if (next) return next()
    line.running -= 1
    if (line.running === 0) lines.delete(subject)
  }

  return createMiddleware<{ Variables: EdgeVariables & GatewayVariables }>(async (c, next) => {
    const { role, userId } = c.get('caller')
    const address = c.get('remoteAddress')
    const subject = userId ?? (address && networkOf(address))
    if (role === 'service_role' || !subject) return next()
    if (!(await enter(subject, userId ? limits.account : limits.address))) {
      const message = 'Too many requests at once. Please try again later.'
      return c.json({ code: 'PT429', details: 'too_many_at_once', hint: null, message }, 429)
    }
    try {
      await next()
    } finally {
      leave(subject)
    }
  })
}
