import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import type { ByteRange, Disk, StoredFile } from './disk.ts'

/** A folder of this machine. */
export function localDisk(folder: string): Disk {
  /** Checked although keys are our own: this is the only line between a mistake elsewhere and the whole file system. */
  function pathOf(key: string): string {
    const parts = key.split('/')
    if (!parts.every((part) => /^[\w.-]+$/.test(part) && !part.startsWith('.'))) {
      throw new Error(`not a key of this disk: ${JSON.stringify(key)}`)
    }
    return join(folder, ...parts)
  }

  async function find(key: string): Promise<StoredFile | null> {
    const found = await stat(pathOf(key)).catch(absentIsNull)
    return found?.isFile() ? { key, size: found.size, storedAt: found.mtime } : null
  }

  return {
    find,

    read(key, range?: ByteRange) {
      const stream = createReadStream(pathOf(key), range)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without an encoding a file stream yields bytes
      return Readable.toWeb(stream) as ReadableStream<Uint8Array>
    },

    async write(key, content) {
      const path = pathOf(key)
      const unfinished = join(folder, 'unfinished', randomUUID())
      await mkdir(dirname(unfinished), { recursive: true })
      await mkdir(dirname(path), { recursive: true })
      // Opened before anything can fail: a stream that opens the file itself may still create it after it was removed.
      const file = await open(unfinished, 'wx')
      try {
        const source = content instanceof Uint8Array ? [content] : content
        await pipeline(source, file.createWriteStream({ flush: true }))
        await rename(unfinished, path)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },

    async list(key) {
      const names = await readdir(pathOf(key)).catch(absentIsNull)
      const files = await Promise.all((names ?? []).map((name) => find(`${key}/${name}`)))
      return files.filter((file) => file !== null)
    },

    async sweepUnfinished(before) {
      for (const { key, storedAt } of await this.list('unfinished')) {
        if (storedAt < before) await rm(pathOf(key), { force: true })
      }
    },

    async remove(key) {
      await rm(pathOf(key), { recursive: true, force: true })
    },
  }
}

function absentIsNull(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}
