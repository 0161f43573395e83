import { Agent, request } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface OneConnection {
  /** Sends everything over one connection, and so to one of the processes that share a port. */
  fetch: typeof fetch
  close(): void
}

export function openOneConnection(): OneConnection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    async fetch(input, init) {
      const asked = new Request(input, init)
      const body = Buffer.from(await asked.arrayBuffer())
      const { promise, resolve, reject } = Promise.withResolvers<Response>()
      const headers = Object.fromEntries(asked.headers)
      const outgoing = request(asked.url, { agent, method: asked.method, headers }, (incoming) => {
        const { statusCode = 0 } = incoming
        const pairs = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
        const answer = (content: Buffer<ArrayBuffer>) =>
          new Response(content.length ? content : null, {
            status: statusCode,
            headers: Object.fromEntries(pairs),
          })
        buffer(incoming).then((content) => resolve(answer(Buffer.from(content))), reject)
      })
      outgoing.on('error', reject).end(body)
      return promise
    },
    close: () => agent.destroy(),
  }
}
