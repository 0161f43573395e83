import type { Disk } from '../disk/disk.ts'

/** A part of a file that strangers do not see: the bytes that stand there instead, then nothing but zeros. */
export interface Blank {
  start: number
  end: number
  bytes: Uint8Array
}

/** Fewer bytes than asked for where the file ends. */
export type ReadAt = (start: number, length: number) => Promise<Buffer>

/** Says what to blank; throws for a film that cannot be shown. */
export type FindPrivate = (read: ReadAt, size: number) => Promise<Blank[]>

/** Films are large: of the file only its index is looked at, and it is copied as a stream. */
export async function* blankedFilm(disk: Disk, key: string, find: FindPrivate): AsyncGenerator<Uint8Array> {
  const size = (await disk.find(key))?.size ?? 0
  const blanks = await find(readerOf(disk, key, size), size)
  let at = 0
  for await (const chunk of disk.read(key)) {
    const shown = Buffer.from(chunk)
    for (const blank of blanks) apply(blank, shown, at)
    at += shown.length
    yield shown
  }
}

function readerOf(disk: Disk, key: string, size: number): ReadAt {
  return async (start, length) => {
    const end = Math.min(start + length, size) - 1
    if (end < start) return Buffer.alloc(0)
    return Buffer.from(await new Response(disk.read(key, { start, end })).arrayBuffer())
  }
}

/** `chunk` is what the file holds from `at` on. */
function apply({ start, end, bytes }: Blank, chunk: Buffer, at: number): void {
  const from = Math.max(start, at)
  const to = Math.min(end, at + chunk.length)
  for (let place = from; place < to; place += 1) chunk[place - at] = bytes[place - start] ?? 0
}
