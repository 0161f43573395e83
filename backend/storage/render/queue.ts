import { StorageError } from '../errors.ts'

interface QueueLimits {
  atOnce: number
  waiting: number
}

/** So many at once, so many waiting; whoever comes later is asked to come again. */
export function createQueue({ atOnce, waiting }: QueueLimits) {
  const line: (() => void)[] = []
  let running = 0

  return async function inQueue<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (line.length >= waiting) throw new StorageError('SlowDown')
      await new Promise<void>((resolve) => line.push(resolve))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      // The place is handed over, not freed: nobody can slip in between.
      const next = line.shift()
      if (next) next()
      else running -= 1
    }
  }
}
