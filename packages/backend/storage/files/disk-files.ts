import { randomUUID } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { access, mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { diskSpace } from '#backend/process/disk-space.ts'
import { isRunning } from '#backend/process/is-running.ts'
import { syncFolder } from '#backend/process/write-durably.ts'
import { StorageError } from '../errors.ts'
import type { FileStore, PartialFiles, StoredFile } from './file-store.ts'

const HOST_NAME = hostname().replaceAll(/[^\w-]/g, '-')
const OWN_PREFIX = `${HOST_NAME}.${process.pid}.`
const STARTED_AT = Date.now() - process.uptime() * 1000

const PARTIAL = 'resumable'

/** Stores files in a folder of this machine. */
export function diskFiles(folder: string): FileStore {
  const { pathOf, find, keys } = filesBelow(folder)

  return {
    kind: 'disk',

    async requireSpace() {
      // The folder exists from the first file on.
      const space = await diskSpace(folder).catch(nullIfMissing)
      if (space && space.level !== 'ok') throw new StorageError('InsufficientStorage')
    },

    find,
    keys,

    async read(key, range) {
      const stream = createReadStream(pathOf(key), range)
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- without an encoding a file stream yields bytes
      return Readable.toWeb(stream) as ReadableStream<Uint8Array>
    },

    async write(key, content) {
      const path = pathOf(key)
      const unfinished = join(folder, 'unfinished', `${OWN_PREFIX}${randomUUID()}`)
      await mkdir(dirname(unfinished), { recursive: true })
      const firstMade = await mkdir(dirname(path), { recursive: true })
      // Opens the file before the pipeline starts: a write stream that opens it lazily could recreate it after the cleanup below.
      const file = await open(unfinished, 'wx')
      try {
        const source = content instanceof Uint8Array ? [content] : content
        await pipeline(source, file.createWriteStream({ flush: true }))
        await rename(unfinished, path)
        await syncNames(path, firstMade)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },

    async *list(key) {
      for await (const each of keys(key)) {
        const file = await find(each)
        if (file) yield file
      }
    },

    async remove(key) {
      await rm(pathOf(key), { force: true })
    },

    async removeFolder(key) {
      await rm(pathOf(key), { recursive: true, force: true })
    },

    partial: partialFiles(folder),

    async sweepUnfinished(before) {
      for await (const { key, storedAt } of this.list('unfinished')) {
        if (storedAt < before || isFromDeadProcess(key, storedAt)) await rm(pathOf(key), { force: true })
      }
    },

    publicAddress: async () => null,

    async check() {
      await access(folder, constants.R_OK | constants.W_OK)
    },
  }
}

/** A power cut must not take the name of a file whose row is committed, nor that of a new folder: `firstMade` and those below it. */
async function syncNames(path: string, firstMade: string | undefined): Promise<void> {
  const last = dirname(resolve(firstMade ?? path))
  let folder = resolve(path)
  do {
    folder = dirname(folder)
    await syncFolder(folder)
  } while (folder !== last)
}

function filesBelow(folder: string) {
  /** Validates keys although the service generates them: an unchecked key could reach any path of the file system. */
  function pathOf(key: string): string {
    const parts = key.split('/')
    if (!parts.every((part) => /^[\w.-]+$/.test(part) && !part.startsWith('.'))) {
      throw new Error(`Invalid storage key: ${JSON.stringify(key)}`)
    }
    return join(folder, ...parts)
  }

  async function find(key: string): Promise<StoredFile | null> {
    const found = await stat(pathOf(key)).catch(nullIfMissing)
    return found?.isFile() ? { key, size: found.size, storedAt: found.mtime } : null
  }

  async function* keys(key: string): AsyncGenerator<string> {
    for (const entry of (await readdir(pathOf(key), { withFileTypes: true }).catch(nullIfMissing)) ?? []) {
      if (entry.isDirectory()) yield* keys(`${key}/${entry.name}`)
      else yield `${key}/${entry.name}`
    }
  }
  return { pathOf, find, keys }
}

const keyOf = (id: string) => `${PARTIAL}/${id}`

/** One file each, which grows. */
function partialFiles(folder: string): PartialFiles {
  const { pathOf, find, keys } = filesBelow(folder)
  return {
    async size(id) {
      return (await find(keyOf(id)))?.size ?? 0
    },

    async append(id, content, offset) {
      const path = pathOf(keyOf(id))
      await mkdir(dirname(path), { recursive: true })
      const file = await open(path, constants.O_WRONLY | constants.O_CREAT)
      try {
        let position = offset
        for await (const chunk of content) position += await writeWhole(file, chunk, position)
      } finally {
        await file.sync()
        await file.close()
      }
    },

    read: (id) => createReadStream(pathOf(keyOf(id))),

    async *list() {
      for await (const key of keys(PARTIAL)) {
        const file = await find(key)
        if (file) yield { id: key.slice(PARTIAL.length + 1), storedAt: file.storedAt }
      }
    },

    async remove(id) {
      await rm(pathOf(keyOf(id)), { force: true })
    },
  }
}

/** Repeats the call, because a single `write` may write fewer bytes than requested. */
async function writeWhole(file: FileHandle, chunk: Uint8Array, position: number): Promise<number> {
  let written = 0
  while (written < chunk.byteLength) {
    const { bytesWritten } = await file.write(chunk, written, chunk.byteLength - written, position + written)
    written += bytesWritten
  }
  return written
}

/** Whether a process of this machine that has ended wrote the file. The start time tells a reused process id apart. */
function isFromDeadProcess(key: string, storedAt: Date): boolean {
  const [host, pid] = key.slice(key.lastIndexOf('/') + 1).split('.')
  if (host !== HOST_NAME || !pid || !/^\d+$/.test(pid)) return false
  if (Number(pid) === process.pid) return storedAt.getTime() < STARTED_AT
  return !isRunning(Number(pid))
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}
