import { StorageError } from '../errors.ts'

interface QueueLimits {
  atOnce: number
  waiting: number
}

/** Runs `atOnce` at a time. What is asked for as `first` overtakes all that is not; each of the two lines has its own end. */
export function createQueue({ atOnce, waiting }: QueueLimits) {
  const lines = { first: [] as (() => void)[], later: [] as (() => void)[] }
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
      // The place is handed over, not freed: nobody can slip in between.
      const next = lines.first.shift() ?? lines.later.shift()
      if (next) next()
      else running -= 1
    }
  }
}
