import { mkdir, open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseProblem } from '#backend/database/database-problem.ts'
import type { Backup } from './manifest.ts'
import { type Encryption, parseStoredName, readStoredFile, requireDecryptable } from './stored-files.ts'
import { archiveFolder, listArchive } from './wal-archive.ts'

const BLOCK_BYTES = 8192
const ZEROS = Buffer.alloc(BLOCK_BYTES)

interface LogTarget {
  /** The folder that PostgreSQL replays. */
  replay: string
  encryption: Encryption | null
  isArchiveNeeded: boolean
}

/**
 * Writes the log of the backup itself and, where needed, the archived log, which continues it. Recovery ends before a damaged piece of the
 * archive: returns a sentence that says so.
 */
export async function restoreLog(
  { folder, name, manifest }: Backup,
  { replay, encryption, isArchiveNeeded }: LogTarget,
): Promise<string[]> {
  await mkdir(replay)
  const write = (path: string, segment: string) =>
    writeSparse(readStoredFile(path, encryption), join(replay, segment))
  const own = manifest.wal.map((stored) => [parseStoredName(stored)?.name ?? '', stored] as const)
  // oxlint-disable no-await-in-loop -- one stream at a time
  for (const [segment, stored] of own) await write(join(folder, name, stored), segment)
  if (!isArchiveNeeded) return []
  const written = new Set(own.map(([segment]) => segment))
  const [first = ''] = written
  for (const [segment, stored] of await listArchive(folder, manifest.chain)) {
    if (segment < first || written.has(segment)) continue
    const path = join(archiveFolder(folder, manifest.chain), stored)
    requireDecryptable(path, encryption)
    try {
      await write(path, segment)
    } catch (error) {
      if (!(error instanceof DatabaseProblem)) throw error
      await rm(join(replay, segment), { force: true })
      const { mtime } = await stat(path)
      return [
        `${path} is damaged, so orders and other changes since about ${mtime.toISOString()} are missing`,
      ]
    }
  }
  // oxlint-enable no-await-in-loop
  return []
}

/** A segment that was finished early is mostly zeros, which take no room as a hole in the file. */
async function writeSparse(content: AsyncIterable<Uint8Array>, path: string): Promise<void> {
  const file = await open(path, 'w', 0o600)
  let position = 0
  try {
    for await (const chunk of content) {
      for (let at = 0; at < chunk.length; at += BLOCK_BYTES) {
        const block = chunk.subarray(at, at + BLOCK_BYTES)
        // oxlint-disable-next-line no-await-in-loop -- in order
        if (Buffer.compare(block, ZEROS.subarray(0, block.length)) !== 0)
          await file.write(block, 0, block.length, position + at)
      }
      position += chunk.length
    }
    await file.truncate(position)
  } finally {
    await file.close()
  }
}
