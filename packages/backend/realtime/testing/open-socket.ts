import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'

/** Half the time limit of a test, so that a missing frame is reported as such. */
const DEADLINE_MS = 10_000

export interface TestSocket {
  send(frame: unknown): void
  sendRaw(data: string | Buffer): void
  /** Sends a part of a frame that never ends. */
  sendFragment(data: string): void
  /** Resolves with the next frame: parsed JSON, or a Buffer. Rejects after ten seconds without one. */
  next(): Promise<unknown>
  nextArray(): Promise<unknown[]>
  /** Resolves with the close code. Rejects when the socket is still open after ten seconds. */
  closed(): Promise<number>
  /** Stops reading, so that the server cannot send. */
  pause(): void
  resume(): void
  close(): Promise<unknown>
}

/** Opens a raw socket, for frames that the official client never sends. Throws `{ status, body }` when refused. */
export async function openSocket(url: string, headers: Record<string, string> = {}): Promise<TestSocket> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers })
  const received: unknown[] = []
  const waiting: ((frame: unknown) => void)[] = []
  socket.on('message', (data: Buffer, isBinary) => {
    const frame: unknown = isBinary ? data : JSON.parse(data.toString())
    const first = waiting.shift()
    if (first) first(frame)
    else received.push(frame)
  })
  const closed = new Promise<number>((resolve) => {
    socket.once('close', resolve)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_, response) => void refusal(response).then(reject))
    socket.on('error', reject)
  })
  const next = () =>
    new Promise<unknown>((resolve) => {
      if (received.length > 0) resolve(received.shift())
      else waiting.push(resolve)
    })
  return {
    send: (frame) => socket.send(JSON.stringify(frame)),
    sendRaw: (data) => socket.send(data),
    sendFragment: (data) => socket.send(data, { fin: false }),
    next: () => inTime(next(), 'No frame'),
    async nextArray() {
      const frame = await inTime(next(), 'No frame')
      if (!Array.isArray(frame)) throw new Error(`Not a frame of version 2.0.0: ${String(frame)}`)
      return frame
    },
    closed: () => inTime(closed, 'The socket was not closed'),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close() {
      socket.close()
      return closed
    },
  }
}

async function inTime<Result>(result: Promise<Result>, failure: string): Promise<Result> {
  const done = new AbortController()
  const late = pause(DEADLINE_MS, undefined, done).then(() => {
    throw new Error(`${failure} in ${DEADLINE_MS / 1000} seconds`)
  })
  return Promise.race([result, late]).finally(() => done.abort())
}

async function refusal(response: IncomingMessage): Promise<object> {
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return { status: response.statusCode, body: JSON.parse(text) }
}
