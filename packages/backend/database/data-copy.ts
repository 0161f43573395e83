import { execFile } from 'node:child_process'
import { cp, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { dataPath } from './installation.ts'
import { DatabaseProblem } from './database-problem.ts'

/** Free space that must remain after the copy, because the upgrade itself writes. */
const RESERVE_BYTES = 256 * 1024 * 1024

/**
 * Copies the files of a stopped embedded PostgreSQL before an upgrade to `version`. Returns the path of the copy; throws a
 * DatabaseProblem when the disk has not enough space. `freeBytes` is for tests.
 */
export async function copyData(
  dataFolder: string,
  version: string,
  freeBytes: (folder: string) => Promise<number> = freeBytesOf,
): Promise<string> {
  const data = await dataPath(resolve(dataFolder))
  const copy = `${data}.before-${version}`
  // The copy of an earlier attempt may be older than the data.
  await rm(copy, { recursive: true, force: true })
  await requireFreeSpace(data, 'copying the database before its upgrade', freeBytes)
  const unfinished = `${copy}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await copyFolder(data, unfinished)
  await rename(unfinished, copy)
  return copy
}

/** Removes the copies of earlier upgrades; returns their paths. */
export async function removeCopies(dataFolder: string): Promise<string[]> {
  const data = await dataPath(resolve(dataFolder))
  const names = await readdir(dirname(data))
  const copies = names
    .filter((name) => name.startsWith(`${basename(data)}.before-`))
    .map((name) => join(dirname(data), name))
  await Promise.all(copies.map((copy) => rm(copy, { recursive: true, force: true })))
  return copies
}

/** Throws a DatabaseProblem when the disk has no room for a second copy of the database. Returns the size of the present one. */
export async function requireFreeSpace(
  data: string,
  purpose: string,
  freeBytes: (folder: string) => Promise<number> = freeBytesOf,
): Promise<number> {
  const [size, free] = await Promise.all([sizeOf(data), freeBytes(dirname(data))])
  const needed = size + RESERVE_BYTES
  if (free >= needed) return size
  throw new DatabaseProblem(
    `${purpose} needs ${megabytes(needed)} MB in ${dirname(data)}, but only ${megabytes(free)} MB are free: free some space and start again`,
  )
}

/** Uses `cp` because it preserves the owner: under root, the files belong to PostgreSQL's account. */
async function copyFolder(from: string, to: string): Promise<void> {
  if (process.platform === 'win32') await cp(from, to, { recursive: true, preserveTimestamps: true })
  else await promisify(execFile)('cp', ['-a', from, to])
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  let size = 0
  for (const file of files) {
    // One by one: thousands of files at once would use up the descriptors.
    size += (await stat(join(file.parentPath, file.name))).size
  }
  return size
}

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1024 / 1024)
}
