import type { Pool } from 'pg'
import { createSharedLocks } from './shared-locks.ts'

export type WithUploadLock = <T>(id: string, work: (signal: AbortSignal) => Promise<T>) => Promise<T>

interface Holder {
  stop: AbortController
  over: Promise<void>
}

/**
 * A lock per id that a later caller takes over: it aborts the current holder and starts when that has ended. A client whose
 * connection broke reconnects long before this process notices, and would otherwise wait for its own previous request. It may reach
 * another process, so the lock holds there too.
 */
export function createUploadLocks(owner: Pool): WithUploadLock {
  const withSharedLock = createSharedLocks(owner)
  const last = new Map<string, Holder>()
  return async function withUploadLock(id, work) {
    const before = last.get(id)
    const stop = new AbortController()
    const result = (before?.over ?? Promise.resolve()).then(() =>
      withSharedLock({ id, stop, work: () => work(stop.signal) }),
    )
    const holder = { stop, over: result.then(ignore, ignore) }
    last.set(id, holder)
    before?.stop.abort()
    try {
      return await result
    } finally {
      if (last.get(id) === holder) last.delete(id)
    }
  }
}

function ignore(): void {}
