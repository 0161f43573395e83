import { once } from 'node:events'
import { connect, createServer } from 'node:net'

export interface CountingProxy {
  /** The database's URL through the counting proxy. */
  url: string
  /** Returns the round trips during `work`: how often the client sent data after a response. */
  during(work: () => Promise<unknown>): Promise<number>
  close(): void
}

/** Starts a proxy before PostgreSQL that counts round trips. */
export async function openCountingProxy(databaseUrl: string): Promise<CountingProxy> {
  const target = new URL(databaseUrl)
  let turns = 0
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname)
    let hasAnswered = true
    client.on('data', (bytes) => {
      if (hasAnswered) turns += 1
      hasAnswered = false
      database.write(bytes)
    })
    database.on('data', (bytes) => {
      hasAnswered = true
      client.write(bytes)
    })
    client.on('close', () => database.destroy()).on('error', () => database.destroy())
    database.on('close', () => client.destroy()).on('error', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const counted = new URL(databaseUrl)
  counted.hostname = '127.0.0.1'
  counted.port = typeof address === 'object' ? String(address?.port) : ''
  return {
    url: counted.href,
    async during(work) {
      const before = turns
      await work()
      return turns - before
    },
    close: () => server.close(),
  }
}
