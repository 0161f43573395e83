import { StorageError } from '../errors.ts'
import { broken } from '../uploads/read-upload.ts'

export interface Bounds {
  /** More is refused; what fits before it is kept. */
  most: number
  /** Ends the reading although the connection stays open. */
  stopped: AbortSignal
}

/** The bytes of a request while they arrive, until the bounds are reached. */
export async function* boundedBytes(
  body: ReadableStream<Uint8Array> | null,
  { most, stopped }: Bounds,
): AsyncGenerator<Uint8Array> {
  if (!body) return
  const reader = body.getReader()
  const stop = rejectionOf(stopped)
  let received = 0
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read().catch(breakOff), stop])
      if (done) return
      received += value.byteLength
      if (received > most) throw new StorageError('EntityTooLarge')
      yield value
    }
  } finally {
    // Not cancelled: that would cut the connection before the answer is out.
    reader.releaseLock()
  }
}

function breakOff(cause: unknown): never {
  throw broken(cause)
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(new StorageError('ResourceLocked'))
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  // It is raced with each read; between two reads nothing listens.
  promise.catch(() => undefined)
  return promise
}
