/** So many are begun before the first is finished: while one waits for the database another is rendered. */
const AT_ONCE = 4

/**
 * People come in bursts, and a burst is worked off before it is refused: the last of so many waits about a quarter of a second. A longer
 * queue would only make everybody wait longer.
 */
const WAITING = 100

/** Nobody can be taken on now. */
export class TooManyWaiting extends Error {}

export interface Turns {
  isFull(): boolean
  /** Does the work when its turn comes. Throws `TooManyWaiting` at once when that would be too late. */
  take<Result>(work: () => Promise<Result>): Promise<Result>
}

/**
 * Lets heavy works into the event loop one by one. Between two of them the loop does everything else that is there to be done, so
 * an order waits for one page at most, however many are asked for.
 */
export function createTurns({ atOnce = AT_ONCE, waiting: atMostWaiting = WAITING } = {}): Turns {
  const waiting: (() => void)[] = []
  let underWay = 0
  let isNextCalled = false

  function callNext(): void {
    if (isNextCalled || underWay >= atOnce || waiting.length === 0) return
    isNextCalled = true
    setImmediate(() => {
      isNextCalled = false
      underWay += 1
      waiting.shift()?.()
      callNext()
    })
  }

  const isFull = () => waiting.length >= atMostWaiting

  return {
    isFull,
    async take(work) {
      if (isFull()) throw new TooManyWaiting()
      await new Promise<void>((begin) => {
        waiting.push(begin)
        callNext()
      })
      try {
        return await work()
      } finally {
        underWay -= 1
        callNext()
      }
    },
  }
}
