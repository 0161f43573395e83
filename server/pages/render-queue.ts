/** While one rendering waits for the database, another can run. */
const CONCURRENCY = 4

/** Absorbs bursts: the last task of a full queue waits about a quarter of a second. A longer queue only makes everyone wait longer. */
const MAX_WAITING = 100

export class QueueFullError extends Error {}

export interface RenderQueue {
  isFull(): boolean
  /** Runs the task in its turn. Throws `QueueFullError` at once when the queue is full. */
  run<Result>(task: () => Promise<Result>): Promise<Result>
}

/**
 * Starts at most one task per turn of the event loop. Other work runs between two tasks, so an order waits for one page
 * at most, however many pages are requested.
 */
export function createRenderQueue({ concurrency = CONCURRENCY, maxWaiting = MAX_WAITING } = {}): RenderQueue {
  const waiting: (() => void)[] = []
  let running = 0
  let isNextScheduled = false

  function scheduleNext(): void {
    if (isNextScheduled || running >= concurrency || waiting.length === 0) return
    isNextScheduled = true
    setImmediate(() => {
      isNextScheduled = false
      running += 1
      waiting.shift()?.()
      scheduleNext()
    })
  }

  const isFull = () => waiting.length >= maxWaiting

  return {
    isFull,
    async run(task) {
      if (isFull()) throw new QueueFullError()
      await new Promise<void>((start) => {
        waiting.push(start)
        scheduleNext()
      })
      try {
        return await task()
      } finally {
        running -= 1
        scheduleNext()
      }
    },
  }
}
