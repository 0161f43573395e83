import { StorageError } from '../errors.ts'

/**
 * Runs at most `atOnce` jobs in parallel. `first` jobs overtake `later` ones. Throws `SlowDown` when `waiting` jobs of the same
 * priority are queued.
 */
export function createQueue({ atOnce, waiting }: { atOnce: number; waiting: number }) {
  const lines: Record<'first' | 'later', (() => void)[]> = { first: [], later: [] }
  let running = 0

  return async function inQueue<T>(place: 'first' | 'later', work: () => Promise<T>): Promise<T> {
    const line = lines[place]
    if (running >= atOnce) {
      if (line.length >= waiting) throw new StorageError('SlowDown')
      await new Promise<void>((resolve) => line.push(resolve))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      // Hands the slot to the next job instead of freeing it, so that a new call cannot overtake the queue.
      const next = lines.first.shift() ?? lines.later.shift()
      if (next) next()
      else running -= 1
    }
  }
}
