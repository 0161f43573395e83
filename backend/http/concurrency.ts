import { setTimeout as pause } from 'node:timers/promises'
import { createMiddleware } from 'hono/factory'

import type { EdgeVariables } from './edge.ts'
import type { GatewayVariables } from './gateway.ts'
import { networkOf } from './network.ts'

interface CallerConcurrency {
  /** Calls of one caller that run at the same time. */
  atOnce: number
  /** Calls of one caller that wait for their turn; further ones are refused. */
  waiting: number
  /**
   * A place stays empty for this long after a refused call, because refusals are fast and a place alone would not limit how many of them
   * one caller causes. After any other call it stays empty as long as the call took, while others of the caller wait. Left out, no place
   * stays empty.
   */
  pauseAfterRefusalMs?: number
}

export interface Concurrency {
  /** Of one network address without an account. */
  address: CallerConcurrency
  account: CallerConcurrency
}

/** How a call ended. */
interface Ended {
  isRefused: boolean
  ms: number
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

  async function leave(
    subject: string,
    { pauseAfterRefusalMs }: CallerConcurrency,
    ended: Ended,
  ): Promise<void> {
    const line = lines.get(subject)
    if (!line) return
    if (pauseAfterRefusalMs !== undefined && ended.isRefused) await pause(pauseAfterRefusalMs)
    else if (pauseAfterRefusalMs !== undefined && line.waiting.length > 0) await pause(ended.ms)
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
    const limit = userId ? limits.account : limits.address
    if (!(await enter(subject, limit))) {
      const message = 'Too many requests at once. Please try again later.'
      return c.json({ code: 'PT429', details: 'too_many_at_once', hint: null, message }, 429)
    }
    const start = performance.now()
    try {
      await next()
    } finally {
      // The answer does not wait for the pause.
      void leave(subject, limit, { isRefused: c.res.status >= 400, ms: performance.now() - start })
    }
  })
}
