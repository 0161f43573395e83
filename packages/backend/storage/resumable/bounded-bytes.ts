import { StorageError } from '../errors.ts'
import { brokenUpload } from '../uploads/read-upload.ts'

export interface Bounds {
  /** Throws `EntityTooLarge` above this number, after yielding the chunks that fit. */
  maxBytes: number
  /** Stops reading although the connection stays open. */
  signal: AbortSignal
}

export async function* boundedBytes(
  body: ReadableStream<Uint8Array> | null,
  { maxBytes, signal }: Bounds,
): AsyncGenerator<Uint8Array> {
  if (!body) return
  const reader = body.getReader()
  const stop = rejectionOf(signal)
  let received = 0
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read().catch(throwBrokenUpload), stop])
      if (done) return
      received += value.byteLength
      if (received > maxBytes) throw new StorageError('EntityTooLarge')
      yield value
    }
  } finally {
    // Releases the reader instead of cancelling it: cancelling would close the connection before the response is sent.
    reader.releaseLock()
  }
}

function throwBrokenUpload(cause: unknown): never {
  throw brokenUpload(cause)
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(new StorageError('ResourceLocked'))
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  // Prevents an unhandled rejection: between two reads, no race listens to this promise.
  promise.catch(() => undefined)
  return promise
}
