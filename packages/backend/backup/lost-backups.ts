import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { listBackups } from './manifest.ts'

/** Names, in a data folder, the folder that its scheduled backups are in. */
export const BACKUP_FOLDER_FILE = 'backup-folder'

/** Remembers in the data folder that the folder holds backups, once it does. */
export async function rememberBackups(folder: string, dataDir: string): Promise<void> {
  if ((await rememberedFolder(dataDir)) === resolve(folder)) return
  if ((await listBackups(folder)).length === 0) return
  await writeFile(join(dataDir, BACKUP_FOLDER_FILE), resolve(folder), { mode: 0o600 })
}

/** Whether the folder held backups and is empty of them now, as is the folder of a drive that is not mounted. */
export async function hasLostBackups(folder: string, dataDir: string): Promise<boolean> {
  if ((await rememberedFolder(dataDir)) !== resolve(folder)) return false
  return (await listBackups(folder)).length === 0
}

async function rememberedFolder(dataDir: string): Promise<string | null> {
  return readFile(join(dataDir, BACKUP_FOLDER_FILE), 'utf8').catch(() => null)
}
