import { setTimeout as pause } from 'node:timers/promises'
import { createMiddleware } from 'hono/factory'

import type { Caller } from './caller.ts'
import type { EdgeVariables } from './edge.ts'
import type { GatewayVariables } from './gateway.ts'
import { siteOf } from './network.ts'

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
  /** Concurrent calls of all accounts of one network address together; further ones wait. */
  accountsOfAddress: number
  /** Calls that do not count there, because a queue of their own limits them. */
  isQueuedElsewhere?: (call: { method: string; path: string }) => boolean
}

interface CallResult {
  isRefused: boolean
  ms: number
}

interface CallerQueue {
  running: number
  waiting: (() => void)[]
}

interface NetworkQueue {
  /** Running calls by account. */
  running: Map<string, number>
  waiting: { account: string; proceed: () => void }[]
}

/**
 * Limits the concurrent calls of all accounts of a network address, because accounts cost nothing. An account with fewer running calls
 * goes first: the customers of a mobile network, who share one address, must not wait behind one of them.
 */
function queueAccounts(atOnce: number) {
  const networks = new Map<string, NetworkQueue>()
  const count = ({ running }: NetworkQueue, account: string) => running.get(account) ?? 0

  function begin(queue: NetworkQueue, account: string): void {
    queue.running.set(account, count(queue, account) + 1)
  }

  async function acquire(network: string, account: string): Promise<void> {
    const queue: NetworkQueue = networks.get(network) ?? { running: new Map(), waiting: [] }
    networks.set(network, queue)
    if (total(queue) < atOnce) return begin(queue, account)
    await new Promise<void>((proceed) => queue.waiting.push({ account, proceed }))
  }

  function release(network: string, account: string): void {
    const queue = networks.get(network)
    if (!queue) return
    const left = count(queue, account) - 1
    if (left > 0) queue.running.set(account, left)
    else queue.running.delete(account)
    const fewest = Math.min(...queue.waiting.map((call) => count(queue, call.account)))
    const next = queue.waiting.findIndex((call) => count(queue, call.account) === fewest)
    const [call] = next < 0 ? [] : queue.waiting.splice(next, 1)
    if (call) {
      begin(queue, call.account)
      call.proceed()
    } else if (queue.running.size === 0) networks.delete(network)
  }

  return { acquire, release }
}

function total({ running }: NetworkQueue): number {
  return [...running.values()].reduce((sum, calls) => sum + calls, 0)
}

interface Call {
  request: { method: string; path: string }
  caller: Pick<Caller, 'role' | 'userId'>
  /** Null for in-process calls. */
  address: string | null
}

/** Waits until a call may run. Returns what must run when the call ends, or null when too many calls of the caller wait. */
export type BeginCall = (call: Call) => Promise<((isRefused: boolean) => void) | null>

export const TOO_MANY_AT_ONCE = 'Too many requests at once. Please try again later.'

/**
 * Runs at most `atOnce` calls per account (or network address without an account) concurrently, so that one caller's slow calls cannot
 * occupy all connections, and at most `accountsOfAddress` of one network. Does not limit in-process calls and those with the secret key.
 */
export function createCallLimit(limits: Concurrency): BeginCall {
  const queues = new Map<string, CallerQueue>()
  const accounts = queueAccounts(limits.accountsOfAddress)

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

  return async function beginCall({ request, caller: { role, userId }, address }) {
    // With a share for each /64, one customer could occupy all connections.
    const network = address && siteOf(address)
    const subject = userId ?? network
    if (role === 'service_role' || !subject) return () => undefined
    const limit = userId ? limits.account : limits.address
    if (!(await acquire(subject, limit))) return null
    const shared = userId && !limits.isQueuedElsewhere?.(request) ? network : null
    if (shared) await accounts.acquire(shared, subject)
    const start = performance.now()
    return (isRefused) => {
      if (shared) accounts.release(shared, subject)
      // Not awaited: the response must not wait for the pause.
      void release(subject, limit, { isRefused, ms: performance.now() - start })
    }
  }
}

/** Must run behind the gateway. */
export function limitConcurrency(beginCall: BeginCall) {
  return createMiddleware<{ Variables: EdgeVariables & GatewayVariables }>(async (c, next) => {
    const endCall = await beginCall({
      request: c.req,
      caller: c.get('caller'),
      address: c.get('remoteAddress'),
    })
    if (!endCall) {
      return c.json(
        { code: 'PT429', details: 'too_many_at_once', hint: null, message: TOO_MANY_AT_ONCE },
        429,
      )
    }
    try {
      await next()
    } finally {
      endCall(c.res.status >= 400)
    }
  })
}
