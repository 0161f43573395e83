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
  // Releases the reader instead of cancelling it: cancelling would close the connection before the response is sent.
  const stop = () => reader.releaseLock()
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  let received = 0
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw signal.aborted ? new StorageError('ResourceLocked') : brokenUpload(cause)
      })
      if (done) return
      received += value.byteLength
      if (received > maxBytes) throw new StorageError('EntityTooLarge')
      yield value
    }
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}
