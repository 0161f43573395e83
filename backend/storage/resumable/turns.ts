export type TakeTurn = <T>(id: string, work: (stopped: AbortSignal) => Promise<T>) => Promise<T>

interface Turn {
  stop: AbortController
  over: Promise<void>
}

/**
 * A lock for each id. A later holder stops the earlier one and starts when that has ended: a client whose connection broke comes
 * back long before this process notices the break, and would otherwise wait for its own former request.
 */
export function createTurns(): TakeTurn {
  const last = new Map<string, Turn>()
  return async function takeTurn(id, work) {
    const before = last.get(id)
    const stop = new AbortController()
    const result = (before?.over ?? Promise.resolve()).then(() => work(stop.signal))
    const turn = { stop, over: result.then(ignore, ignore) }
    last.set(id, turn)
    before?.stop.abort()
    try {
      return await result
    } finally {
      if (last.get(id) === turn) last.delete(id)
    }
  }
}

function ignore(): void {}
