import type { PartialFiles } from '../files/file-store.ts'
import { inPieces } from './pieces.ts'
import { contiguous, type StoredPart } from './contiguous.ts'
import type { S3Objects } from './s3-objects.ts'

const FOLDER = 'resumable'
/** The largest part, which stays in memory until it is stored. */
const PART_BYTES = 8 * 1024 * 1024
/** A killed process loses the bytes of this time, which the client sends again. */
const WAIT_MS = 1000
/** `<offset>-<length>`, of equal length so that names sort by offset. */
const PART_NAME = /^(\d{16})-(\d+)$/

/**
 * An object for each part, because objects cannot grow. Two processes may store overlapping parts when a client reconnects to the other one:
 * both hold the same bytes of the same file.
 */
export function s3Partial({ list, read, write, removeFolder }: S3Objects): PartialFiles {
  async function partsOf(id: string): Promise<StoredPart[]> {
    const parts: StoredPart[] = []
    for await (const { key } of list(`${FOLDER}/${id}`)) {
      const [, offset, length] = PART_NAME.exec(key.slice(key.lastIndexOf('/') + 1)) ?? []
      if (offset && length) parts.push({ key, offset: Number(offset), length: Number(length) })
    }
    return contiguous(parts)
  }

  return {
    async size(id) {
      const last = (await partsOf(id)).at(-1)
      return last ? last.offset + last.length : 0
    },

    async append(id, content, offset) {
      let at = offset
      for await (const piece of inPieces(content, { bytes: PART_BYTES, waitMs: WAIT_MS })) {
        await write(`${FOLDER}/${id}/${String(at).padStart(16, '0')}-${piece.byteLength}`, piece)
        at += piece.byteLength
      }
    },

    async *read(id) {
      let at = 0
      for (const { key, offset, length } of await partsOf(id)) {
        yield* await read(key, { start: at - offset, end: length - 1 })
        at = offset + length
      }
    },

    async *list() {
      for await (const { key, storedAt } of list(FOLDER)) yield { id: key.split('/')[1] ?? '', storedAt }
    },

    remove: (id) => removeFolder(`${FOLDER}/${id}`),
  }
}
