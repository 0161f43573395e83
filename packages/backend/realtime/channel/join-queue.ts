/** Queries of joins at once in this process: sign-in, payments and jobs need the same connections. */
const AT_ONCE = 2

/** Runs `work` when it is the network's turn. */
export type JoinQueue = <T>(network: string, work: () => Promise<T>) => Promise<T>

/** Runs one piece of work per network at once, and two in all. Networks take turns, so that one with a long queue delays no other. */
export function createJoinQueue(): JoinQueue {
  /** The first network is the next one. */
  const waiting = new Map<string, (() => void)[]>()
  const running = new Set<string>()

  function startNext(): void {
    for (const [network, line] of waiting) {
      if (running.size >= AT_ONCE) return
      if (running.has(network)) continue
      running.add(network)
      line.shift()?.()
    }
  }

  function finish(network: string): void {
    running.delete(network)
    const line = waiting.get(network)
    waiting.delete(network)
    if (line && line.length > 0) waiting.set(network, line)
    startNext()
  }

  return async function inJoinQueue(network, work) {
    await new Promise<void>((start) => {
      const line = waiting.get(network)
      if (line) line.push(start)
      else waiting.set(network, [start])
      startNext()
    })
    try {
      return await work()
    } finally {
      finish(network)
    }
  }
}
