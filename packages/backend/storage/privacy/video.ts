import type { FileStore } from '../files/file-store.ts'

/** A range to overwrite: with `bytes` first, then with zeros. */
export interface Blank {
  start: number
  end: number
  bytes: Uint8Array
}

/** Returns fewer bytes than requested at the end of the file. */
type ReadAt = (start: number, length: number) => Promise<Buffer>

/** Returns the ranges with metadata; throws for a video that may not be public. */
export type FindBlanks = (read: ReadAt, size: number) => Promise<Blank[]>

/** Parses only the index of the video and copies the rest as a stream, because videos do not fit into memory. */
export async function* blankedVideo(
  files: FileStore,
  key: string,
  find: FindBlanks,
): AsyncGenerator<Uint8Array> {
  const size = (await files.find(key))?.size ?? 0
  const blanks = await find(readerOf(files, key, size), size)
  let at = 0
  for await (const chunk of await files.read(key)) {
    const shown = Buffer.from(chunk)
    for (const blank of blanks) apply(blank, shown, at)
    at += shown.length
    yield shown
  }
}

function readerOf(files: FileStore, key: string, size: number): ReadAt {
  return async (start, length) => {
    const end = Math.min(start + length, size) - 1
    if (end < start) return Buffer.alloc(0)
    return Buffer.from(await new Response(await files.read(key, { start, end })).arrayBuffer())
  }
}

/** `at` is the position of `chunk` in the file. */
function apply({ start, end, bytes }: Blank, chunk: Buffer, at: number): void {
  const from = Math.max(start, at)
  const to = Math.min(end, at + chunk.length)
  for (let place = from; place < to; place += 1) chunk[place - at] = bytes[place - start] ?? 0
}
