import { mkdir, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { listFiles } from './create-backup.ts'
import type { Backup } from './manifest.ts'
import { type Encryption, readStoredFile, requireDecryptable, storedFileKey } from './stored-files.ts'

interface FilesTarget {
  target: string
  encryption: Encryption | null
  onDamagedFile: (path: string) => Promise<void>
}

/** Returns a sentence for each file that is left out. All backups share one copy of it, so another backup would lack it as well. */
export async function restoreFiles(
  backup: Backup,
  { target, encryption, onDamagedFile }: FilesTarget,
): Promise<string[]> {
  const skipped: string[] = []
  for (const [key, path] of await restorableFiles(backup)) {
    const file = join(target, 'storage', 'objects', key)
    requireDecryptable(path, encryption)
    // oxlint-disable no-await-in-loop -- one stream at a time
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    try {
      const handle = await open(file, 'w', 0o600)
      await pipeline(readStoredFile(path, encryption), handle.createWriteStream())
    } catch (error) {
      if (!(error instanceof DatabaseProblem)) throw error
      await rm(file, { force: true })
      await onDamagedFile(path)
      skipped.push(`${path} is missing or damaged, so the copy lacks this picture or film`)
    }
    // oxlint-enable no-await-in-loop
  }
  return skipped
}

/**
 * Returns the paths of all files in the folder of a backup, and of those that the backup names, by key. When a damaged file was copied
 * again, the new copy has another name than the backup knows.
 */
export async function restorableFiles({ folder, manifest }: Backup): Promise<Map<string, string>> {
  const named = manifest.files.map((path) => [storedFileKey(path) ?? '', path] as const)
  const stored = await listFiles(folder)
  return new Map(Array.from([...named, ...stored], ([key, path]) => [key, join(folder, path)]))
}
