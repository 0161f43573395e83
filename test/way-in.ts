import { once } from 'node:events'
import { createServer } from 'node:http'
import { type Connection, connectionOf } from '#backend/http/edge.ts'
import { listenerFor } from '#backend/process/listener.ts'

export interface WayIn {
  /** What the official client is given for its `fetch`. */
  fetch(this: void, input: string | URL | Request, init?: RequestInit): Promise<Response>
  close(): Promise<void>
}

type Services = (request: Request, connection?: Connection) => Response | Promise<Response>

/** How a client under test reaches the services: within the process, or in `vitest run --mode socket` over a socket. */
export function wayInto(services: Services): WayIn {
  return import.meta.env.MODE === 'socket' ? overSocket(services) : withinProcess(services)
}

function withinProcess(services: Services): WayIn {
  return {
    fetch: async (input, init) => services(new Request(input, init)),
    close: async () => {},
  }
}

function overSocket(services: Services): WayIn {
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
      // The services answer with a redirect what a browser would follow by leaving the page.
      const asked = input instanceof Request ? new Request(there, input) : there
      return fetch(asked, { redirect: 'manual', ...init })
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
