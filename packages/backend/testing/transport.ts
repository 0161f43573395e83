import { once } from 'node:events'
import { createServer } from 'node:http'
import { type ListenerContext, connectionOf } from '#backend/http/edge.ts'
import { listenerFor } from '#backend/process/listener.ts'

export interface TestTransport {
  /** The `fetch` option of the official client. */
  fetch(this: void, input: string | URL | Request, init?: RequestInit): Promise<Response>
  close(): Promise<void>
}

type Services = (request: Request, connection?: ListenerContext) => Response | Promise<Response>

/** Connects clients under test to the services: in-process, or over a socket in `vitest run --mode socket`. */
export function openTestTransport(services: Services): TestTransport {
  return import.meta.env.MODE === 'socket' ? overSocket(services) : inProcess(services)
}

function inProcess(services: Services): TestTransport {
  return {
    fetch: async (input, init) => services(new Request(input, init)),
    close: async () => {},
  }
}

function overSocket(services: Services): TestTransport {
  const listener = listenerFor((request, { incoming }) => services(request, connectionOf(incoming)))
  const server = createServer(listener).listen(0, '127.0.0.1')
  const listening = once(server, 'listening')
  return {
    async fetch(input, init) {
      await listening
      const address = server.address()
      const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
      const { pathname, search } = new URL(input instanceof Request ? input.url : input)
      const there = new URL(pathname + search, origin)
      // Do not follow redirects, because tests check them.
      const request = input instanceof Request ? new Request(there, input) : there
      return fetch(request, { redirect: 'manual', ...init })
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
