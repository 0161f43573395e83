import { join, resolve, sep } from 'node:path'
import { lostKey, readKey } from './encryption.ts'
import { type Backup, readBackups } from './manifest.ts'
import { restorableFiles } from './restore-files.ts'
import { isIntact, parseStoredName, setAsideDamaged } from './stored-files.ts'
import { archiveFolder, listArchive } from './wal-archive.ts'

/**
 * Reads every byte of all backups of a folder. Returns a line for each file that is missing or damaged; needs no passphrase. Sets damaged
 * pictures and films aside: the next backup copies them again.
 */
export async function verifyBackups(folder: string): Promise<{ backups: number; problems: string[] }> {
  const root = resolve(folder)
  const { backups, problems } = await readBackups(root)
  const count = backups.length + problems.length
  const paths = new Set((await Promise.all(backups.map(pathsOf))).flat())
  const isEncrypted = Array.from(paths).some((path) => parseStoredName(path)?.isEncrypted)
  if (isEncrypted && !(await readKey(root))) problems.push(lostKey(root))
  for (const path of paths) {
    // oxlint-disable no-await-in-loop -- one file after the other
    if (await isIntact(path)) continue
    problems.push(`${path} is missing or damaged`)
    if (isShared(root, path)) await setAsideDamaged(path)
    // oxlint-enable no-await-in-loop
  }
  return { backups: count, problems }
}

function isShared(folder: string, path: string): boolean {
  return path.startsWith(join(folder, 'files', sep))
}

async function pathsOf(backup: Backup): Promise<string[]> {
  const { folder, name, manifest } = backup
  const { chain, database, settings, wal } = manifest
  const archive = await listArchive(folder, chain)
  return [
    ...[database ?? [], settings, wal].flat().map((path) => join(folder, name, path)),
    ...(await restorableFiles(backup)).values(),
    ...Array.from(archive.values(), (path) => join(archiveFolder(folder, chain), path)),
  ]
}
