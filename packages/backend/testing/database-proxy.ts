import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface DatabaseProxy {
  /** `127.0.0.1:<port>` */
  host: string
  /** Ends all connections and refuses new ones, as a server that was stopped. */
  stop(): Promise<void>
  /** Forwards nothing any more but keeps all connections open, as a machine that lost its power. */
  freeze(): void
}

/** Forwards connections to a server, so that a test has several addresses of one database, or one address of several servers. */
export async function startDatabaseProxy(serverUrl: string, ownPort = 0): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let isFrozen = false
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket)
      socket.on('data', (bytes) => void (!isFrozen && other.write(bytes)))
      socket.on('error', () => other.destroy()).on('close', () => other.destroy())
    }
  }).listen(ownPort, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  return {
    host: `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    async stop() {
      proxy.close()
      for (const socket of sockets) socket.destroy()
      await once(proxy, 'close')
    },
    freeze() {
      isFrozen = true
    },
  }
}
