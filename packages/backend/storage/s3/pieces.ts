export interface PieceLimits {
  bytes: number
  /** How long a received byte waits for others. */
  waitMs: number
}

/** Joins chunks to larger pieces. When `content` fails, yields what was received and throws the error then. */
export async function* inPieces(
  content: AsyncIterable<Uint8Array>,
  { bytes, waitMs }: PieceLimits,
): AsyncGenerator<Buffer> {
  const chunks = content[Symbol.asyncIterator]()
  let received: Uint8Array[] = []
  let size = 0
  let due: Timer | null = null

  function take(): Buffer {
    const piece = Buffer.concat(received)
    received = []
    size = 0
    due?.stop()
    due = null
    return piece
  }

  try {
    for (let next = settled(chunks.next()); ;) {
      const result = await (due ? Promise.race([next, due.over]) : next)
      if (!result) {
        yield take()
        continue
      }
      if ('error' in result || result.done) {
        if (size > 0) yield take()
        if ('error' in result) throw result.error
        return
      }
      received.push(result.value)
      size += result.value.byteLength
      due ??= timer(waitMs)
      if (size >= bytes) yield take()
      next = settled(chunks.next())
    }
  } finally {
    take()
    // Without waiting: a stalled connection may hold the next chunk back for long.
    void chunks.return?.().catch(() => undefined)
  }
}

type Settled<T> = T | { error: unknown }

function settled<T>(promise: Promise<T>): Promise<Settled<T>> {
  return promise.catch((error: unknown) => ({ error }))
}

interface Timer {
  over: Promise<null>
  stop(): void
}

function timer(ms: number): Timer {
  const { promise, resolve } = Promise.withResolvers<null>()
  const timeout = setTimeout(resolve, ms, null)
  return { over: promise, stop: () => clearTimeout(timeout) }
}
