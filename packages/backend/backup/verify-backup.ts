import { join, resolve } from 'node:path'
import { type Backup, readBackups } from './manifest.ts'
import { isIntact } from './stored-files.ts'
import { archiveFolder, listArchive } from './wal-archive.ts'

/** Reads every byte of all backups of a folder. Returns a line for each file that is missing or damaged; needs no passphrase. */
export async function verifyBackups(folder: string): Promise<{ backups: number; problems: string[] }> {
  const root = resolve(folder)
  const { backups, problems } = await readBackups(root)
  const count = backups.length + problems.length
  const paths = new Set((await Promise.all(backups.map(pathsOf))).flat())
  for (const path of paths) {
    // oxlint-disable-next-line no-await-in-loop -- one file after the other
    if (!(await isIntact(path))) problems.push(`${path} is missing or damaged`)
  }
  return { backups: count, problems }
}

async function pathsOf({ folder, name, manifest }: Backup): Promise<string[]> {
  const { chain, database, files, settings, wal } = manifest
  const archive = await listArchive(folder, chain)
  return [
    ...[database ?? [], settings, wal].flat().map((path) => join(folder, name, path)),
    ...files.map((path) => join(folder, path)),
    ...Array.from(archive.values(), (path) => join(archiveFolder(folder, chain), path)),
  ]
}
