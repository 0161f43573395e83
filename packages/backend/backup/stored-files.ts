import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { isFileMissing } from '#backend/process/is-file-missing.ts'
import { noneIfMissing } from './none-if-missing.ts'

/** `<name>.<SHA-256 of the stored bytes>.zst`, and `.age` when encrypted. */
const STORED_NAME = /^(?<name>.+)\.(?<sha256>[0-9a-f]{64})(?<zst>\.zst)?(?<age>\.age)?$/

/** Ends the name of a file or folder that is still being written. */
export const UNFINISHED = '.unfinished'

export interface Encryption {
  encrypt(plain: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  decrypt(encrypted: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
}

export interface StoredName {
  name: string
  sha256: string
  isCompressed: boolean
  isEncrypted: boolean
}

/** Returns the parts of a stored file's name; null for other files. */
export function parseStoredName(path: string): StoredName | null {
  const { name, sha256, zst, age } = STORED_NAME.exec(basename(path))?.groups ?? {}
  return name && sha256 ? { name, sha256, isCompressed: Boolean(zst), isEncrypted: Boolean(age) } : null
}

const DAMAGED = '.damaged'

/** Returns the key of a stored picture or film, given its path in a folder of backups; also of one that was set aside. Null for other files. */
export function storedFileKey(path: string): string | null {
  const { name } = parseStoredName(basename(path, DAMAGED)) ?? {}
  return name ? relative('files', join(dirname(path), name)) : null
}

/**
 * Whether a folder below that of the backups can be theirs. Systems and network drives keep folders of their own everywhere, such as
 * `lost+found`, `#recycle`, `@eaDir` and `System Volume Information`, which this user may not be allowed to open or to remove.
 */
export function isStoredFolder(name: string): boolean {
  return /^[\w-]+$/.test(name)
}

/**
 * Returns the paths, relative to `folder`, of all files below it that can be a backup's, finished or not. Throws a DatabaseProblem when one
 * of the folders cannot be read.
 */
export async function listStored(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(noneIfMissing(folder))
  const paths = await Promise.all(
    entries.map(async (entry) => {
      if (entry.isFile()) return [entry.name]
      if (!entry.isDirectory() || !isStoredFolder(entry.name)) return []
      return (await listStored(join(folder, entry.name))).map((path) => join(entry.name, path))
    }),
  )
  return paths.flat()
}

export interface StoredFileOptions {
  folder: string
  encryption: Encryption | null
  /** False for pictures and films, which are compressed already. */
  compress?: boolean
  /** Aborts the write and removes the unfinished file. */
  signal?: AbortSignal | undefined
}

/**
 * Writes a file below `folder` under a name that carries the hash of its bytes. Returns its path relative to `folder`. Other processes
 * see the whole file or none.
 */
export async function writeStoredFile(
  path: string,
  content: NodeJS.ReadableStream | Iterable<Uint8Array>,
  { folder, encryption, compress = true, signal }: StoredFileOptions,
): Promise<string> {
  const unfinished = join(folder, `${dirname(path)}/.${randomUUID()}${UNFINISHED}`)
  await mkdir(dirname(unfinished), { recursive: true, mode: 0o700 })
  const hash = createHash('sha256')
  const source = Readable.from(content, { objectMode: false })
  const packed = compress ? source.compose(createZstdCompress()) : source
  const bytes = encryption ? encryption.encrypt(packed) : packed
  try {
    const file = createWriteStream(unfinished, { mode: 0o600, flush: true })
    await pipeline(bytes, hashing(hash), file, { signal })
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  const stored = `${path}.${hash.digest('hex')}${compress ? '.zst' : ''}${encryption ? '.age' : ''}`
  await rename(unfinished, join(folder, stored))
  return stored
}

/** Yields the original content of a stored file. Throws a DatabaseProblem at the end of a file whose bytes changed. */
export async function* readStoredFile(
  path: string,
  encryption: Encryption | null,
): AsyncIterable<Uint8Array> {
  const name = parseStoredName(path)
  if (!name) throw new DatabaseProblem(`${path} is not a file of a backup`)
  requireDecryptable(path, encryption)
  const hash = createHash('sha256')
  try {
    const bytes = hashing(hash)(createReadStream(path))
    const packed = encryption && name.isEncrypted ? encryption.decrypt(bytes) : bytes
    yield* name.isCompressed
      ? Readable.from(packed, { objectMode: false }).compose(createZstdDecompress())
      : packed
  } catch (error) {
    if (isFileMissing(error))
      throw new DatabaseProblem(`${path} is missing: use another backup`, { cause: error })
    throw damaged(path, error)
  }
  if (hash.digest('hex') !== name.sha256) throw damaged(path)
}

/** Throws a DatabaseProblem when a stored file is encrypted and there is no key. */
export function requireDecryptable(path: string, encryption: Encryption | null): void {
  if (parseStoredName(path)?.isEncrypted && !encryption)
    throw new DatabaseProblem(`${path} is encrypted: set BACKUP_PASSPHRASE`)
}

/** Returns whether the stored bytes still have the hash of their name. */
export async function isIntact(path: string): Promise<boolean> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk)
  } catch (error) {
    if (isFileMissing(error)) return false
    throw error
  }
  return hash.digest('hex') === parseStoredName(path)?.sha256
}

/** Throws a DatabaseProblem when the stored bytes are missing or changed. */
export async function requireIntact(path: string): Promise<void> {
  if (!(await isIntact(path))) throw damaged(path)
}

/**
 * Renames a stored file whose bytes have changed, so that it does not count as a copy any more. A file that cannot be read or renamed
 * stays as it is.
 */
export async function setAsideDamaged(path: string): Promise<void> {
  if (await isIntact(path).catch(() => true)) return
  await rename(path, `${path}${DAMAGED}`).catch(() => undefined)
}

function damaged(path: string, cause?: unknown): DatabaseProblem {
  return new DatabaseProblem(`${path} is missing or damaged: use another backup`, { cause })
}

function hashing(hash: ReturnType<typeof createHash>) {
  return async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
}
