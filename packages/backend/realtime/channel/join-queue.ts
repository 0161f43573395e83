import type { Connection } from './channel.ts'

/** Queries of joins at once in this process: sign-in, payments and jobs need the same connections. */
const AT_ONCE = 2

type QueuedConnection = Pick<Connection, 'network' | 'isOpen'>

export interface JoinQueue {
  /** Runs `work` when it is the turn of the connection's network, unless the connection is closed by then. */
  run(connection: QueuedConnection, work: () => Promise<void>): Promise<void>
  /** Drops what waits for a closed connection, whose promises never settle. Clients could fill the memory by reconnecting otherwise. */
  drop(connection: QueuedConnection): void
}

interface Waiting {
  connection: QueuedConnection
  start: () => void
}

/** Runs one piece of work per network at once, and two in all. Networks take turns, so that one with a long queue delays no other. */
export function createJoinQueue(): JoinQueue {
  /** The first network is the next one. */
  const waiting = new Map<string, Waiting[]>()
  const running = new Set<string>()

  function startNext(): void {
    for (const [network, line] of waiting) {
      if (running.size >= AT_ONCE) return
      if (running.has(network)) continue
      running.add(network)
      line.shift()?.start()
    }
  }

  function finish(network: string): void {
    running.delete(network)
    const line = waiting.get(network)
    waiting.delete(network)
    if (line && line.length > 0) waiting.set(network, line)
    startNext()
  }

  return {
    async run(connection, work) {
      const { network } = connection
      await new Promise<void>((start) => {
        const line = waiting.get(network)
        if (line) line.push({ connection, start })
        else waiting.set(network, [{ connection, start }])
        startNext()
      })
      try {
        if (connection.isOpen) await work()
      } finally {
        finish(network)
      }
    },
    drop(connection) {
      const line = waiting.get(connection.network) ?? []
      const others = line.filter((each) => each.connection !== connection)
      if (others.length > 0) waiting.set(connection.network, others)
      else waiting.delete(connection.network)
    },
  }
}
