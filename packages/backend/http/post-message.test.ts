import { createServer, type RequestListener, type Server } from 'node:http'
import { once } from 'node:events'
import { afterEach, expect, it, vi } from 'vitest'

import { postMessage } from './post-message.ts'

let server: Server | undefined
afterEach(() => {
  vi.restoreAllMocks()
  server?.closeAllConnections()
  server?.close()
})

/** Starts a webhook. Returns its URL. */
async function openWebhook(answer: RequestListener): Promise<string> {
  server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

it('fails when the webhook refuses the message, so that the message is sent again', async () => {
  const url = await openWebhook((_, response) => response.writeHead(500).end())

  await expect(postMessage(url, { text: 'hello' })).rejects.toThrow('the webhook returned 500')
})

it('gives up a webhook that does not answer', async () => {
  const timeout = new AbortController()
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal)
  const url = await openWebhook(() => timeout.abort(new Error('The time is over')))

  await expect(postMessage(url, { text: 'hello' })).rejects.toThrow('The time is over')
})
