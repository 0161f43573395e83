import { join, resolve } from 'node:path'
import { type Backup, listBackups, readBackup } from './manifest.ts'
import { isIntact } from './stored-files.ts'
import { archiveFolder, listArchive } from './wal-archive.ts'

/** Reads every byte of all backups of a folder. Returns a line for each file that is missing or damaged; needs no passphrase. */
export async function verifyBackups(folder: string): Promise<{ backups: number; problems: string[] }> {
  const root = resolve(folder)
  const names = await listBackups(root)
  const paths = new Set<string>()
  const problems: string[] = []
  for (const name of names) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one backup after the other
      for (const path of await pathsOf(await readBackup(root, name))) paths.add(path)
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
    }
  }
  for (const path of paths) {
    // oxlint-disable-next-line no-await-in-loop -- one file after the other
    if (!(await isIntact(path))) problems.push(`${path} is missing or damaged`)
  }
  return { backups: names.length, problems }
}

async function pathsOf({ folder, name, manifest }: Backup): Promise<string[]> {
  const { chain, database, files, settings, wal } = manifest
  const archive = await listArchive(folder, chain)
  return [
    ...[database, settings, ...wal].map((path) => join(folder, name, path)),
    ...files.map((path) => join(folder, path)),
    ...Array.from(archive.values(), (path) => join(archiveFolder(folder, chain), path)),
  ]
}
