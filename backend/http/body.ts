import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'

/**
 * The web server holds a client to the length it announced, so that such a body need not be begun here; begun and not
 * read to its end, it would block its connection.
 */
export function limitBody(maxSize: number, refuse: (c: Context) => Response): MiddlewareHandler {
  const limitStream = bodyLimit({ maxSize, onError: refuse })
  return async (c, next) => {
    const announced = c.req.header('content-length')
    if (announced === undefined) return limitStream(c, next)
    return Number(announced) > maxSize ? refuse(c) : next()
  }
}

/** The request's body, or null when it is larger than allowed: nothing beyond the limit is kept in memory. */
export async function readBody(request: Request, limitBytes: number): Promise<Uint8Array | null> {
  const announced = request.headers.get('content-length')
  if (Number(announced) > limitBytes) return null
  // The web server holds a client to the length it announced, and has a short way for bodies that are wanted whole.
  if (announced !== null) return new Uint8Array(await request.arrayBuffer())
  return request.body ? readStream(request.body, limitBytes) : new Uint8Array()
}

async function readStream(body: ReadableStream<Uint8Array>, limitBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.byteLength
    if (length > limitBytes) return null
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length)
}
