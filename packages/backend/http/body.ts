import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'

/**
 * Refuses bodies larger than `maxSize`. Decides by `content-length` where it is sent, which the web server enforces: starting to read a
 * body without finishing it would block the connection.
 */
export function limitBody(maxSize: number, refuse: (c: Context) => Response): MiddlewareHandler {
  const limitStream = bodyLimit({ maxSize, onError: refuse })
  return async (c, next) => {
    const announced = c.req.header('content-length')
    if (announced === undefined) return limitStream(c, next)
    return Number(announced) > maxSize ? refuse(c) : next()
  }
}

/** Returns the body, or null when it is larger than the limit. Buffers no more than the limit. */
export async function readBody(request: Request, limitBytes: number): Promise<Uint8Array | null> {
  const announced = request.headers.get('content-length')
  if (Number(announced) > limitBytes) return null
  // The web server enforces `content-length`, and `arrayBuffer` is its fast path.
  if (announced !== null) return new Uint8Array(await request.arrayBuffer())
  return request.body ? readStream(request.body, limitBytes) : new Uint8Array()
}

/** Returns undefined for a text that is not JSON. */
export function parseJson(text: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof text === 'string' ? text : Buffer.from(text).toString())
  } catch {
    return undefined
  }
}

async function readStream(body: ReadableStream<Uint8Array>, limitBytes: number): Promise<Uint8Array | null> {
  const received = new ReceivedBytes()
  for await (const chunk of body) {
    received.add(chunk)
    if (received.length > limitBytes) return null
  }
  return received.content
}

/**
 * Joins the chunks of a body as they arrive. A list of them would take hundreds of bytes for each, and a client may send chunks of one
 * byte.
 */
export class ReceivedBytes {
  length = 0
  #buffer = Buffer.alloc(0)

  add(chunk: Uint8Array): void {
    const needed = this.length + chunk.byteLength
    if (needed > this.#buffer.byteLength) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#buffer.byteLength))
      this.#buffer.copy(larger, 0, 0, this.length)
      this.#buffer = larger
    }
    this.#buffer.set(chunk, this.length)
    this.length = needed
  }

  get content(): Buffer<ArrayBuffer> {
    return this.#buffer.subarray(0, this.length)
  }
}
