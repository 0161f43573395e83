import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { ListenError } from './listen.ts'

/** Below the ports of outgoing connections, one of which could take a free port before a program listens to it. */
const PORTS = { first: 15_000, last: 29_999 }

const ATTEMPTS = 1000

/** Returns a port of 127.0.0.1 on which no program listens. Throws a ListenError when it finds none. */
export async function freePort(): Promise<number> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const port = randomInt(PORTS.first, PORTS.last + 1)
    if (await isFreePort(port)) return port // oxlint-disable-line no-await-in-loop -- the next only when this one is taken
  }
  throw new ListenError(`none of ${ATTEMPTS} ports of 127.0.0.1 from ${PORTS.first} to ${PORTS.last} is free`)
}

export function isFreePort(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const server = createServer()
    server.once('error', () => settle(false))
    server.listen(port, '127.0.0.1', () => server.close(() => settle(true)))
  })
}
