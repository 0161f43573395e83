import { setTimeout as pause } from 'node:timers/promises'
import { createMiddleware } from 'hono/factory'

import type { EdgeVariables } from './edge.ts'
import type { GatewayVariables } from './gateway.ts'
import { networkOf } from './network.ts'

interface CallerConcurrency {
  /** Concurrent calls of one caller. */
  atOnce: number
  /** Queued calls of one caller; further ones are refused. */
  waiting: number
  /**
   * Keeps a slot blocked for this long after a failed call, because failures are fast and a slot alone would not limit their rate. While
   * calls of the caller are queued, a successful call blocks its slot for as long as it took. Default: slots are free at once.
   */
  pauseAfterRefusalMs?: number
}

export interface Concurrency {
  /** Per network address, for callers without an account. */
  address: CallerConcurrency
  account: CallerConcurrency
}

interface CallResult {
  isRefused: boolean
  ms: number
}

interface CallerQueue {
  running: number
  waiting: (() => void)[]
}

/**
 * Runs at most `atOnce` calls per account (or network address without an account) concurrently, so that one caller's slow calls cannot
 * occupy all connections. Does not limit in-process calls and those with the secret key. Must run behind the gateway.
 */
export function limitConcurrency(limits: Concurrency) {
  const queues = new Map<string, CallerQueue>()

  /** Waits for a slot; returns false when the queue is full. */
  async function acquire(subject: string, { atOnce, waiting }: CallerConcurrency): Promise<boolean> {
    const queue = queues.get(subject) ?? { running: 0, waiting: [] }
    queues.set(subject, queue)
    if (queue.running < atOnce) {
      queue.running += 1
      return true
    }
    if (queue.waiting.length >= waiting) return false
    await new Promise<void>((proceed) => queue.waiting.push(proceed))
    return true
  }

  async function release(
    subject: string,
    { pauseAfterRefusalMs }: CallerConcurrency,
    result: CallResult,
  ): Promise<void> {
    const queue = queues.get(subject)
    if (!queue) return
    if (pauseAfterRefusalMs !== undefined && result.isRefused) await pause(pauseAfterRefusalMs)
    else if (pauseAfterRefusalMs !== undefined && queue.waiting.length > 0) await pause(result.ms)
    // Hand the slot over instead of freeing it, so that a new call cannot overtake a queued one.
    const next = queue.waiting.shift()
    if (next) return next()
    queue.running -= 1
    if (queue.running === 0) queues.delete(subject)
  }

  return createMiddleware<{ Variables: EdgeVariables & GatewayVariables }>(async (c, next) => {
    const { role, userId } = c.get('caller')
    const address = c.get('remoteAddress')
    const subject = userId ?? (address && networkOf(address))
    if (role === 'service_role' || !subject) return next()
    const limit = userId ? limits.account : limits.address
    if (!(await acquire(subject, limit))) {
      const message = 'Too many requests at once. Please try again later.'
      return c.json({ code: 'PT429', details: 'too_many_at_once', hint: null, message }, 429)
    }
    const start = performance.now()
    try {
      await next()
    } finally {
      // Not awaited: the response must not wait for the pause.
      void release(subject, limit, { isRefused: c.res.status >= 400, ms: performance.now() - start })
    }
  })
}
