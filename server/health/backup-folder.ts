import { setTimeout as pause } from 'node:timers/promises'
import { hasLostBackups, holdsDatabase, listBackups } from '@saltfreak/backend'
import type { Settings } from '../settings.ts'

export interface BackupFolder {
  /** It held backups, and is empty of them now. */
  isLost: boolean
  /** The finished backups, oldest first. */
  names: string[]
  /** Whether the newest backup contains the database. */
  isComplete: boolean
}

type Place = { folder: string } & Pick<Settings, 'dataDir'>

/** Shorter than the time limit of a check. */
const TIMEOUT_MS = 2500

/**
 * Running reads by folder. A network drive whose server is away never answers, and each call that waits for it occupies one of libuv's
 * four threads for files: with several at a time, the process could soon read no other file.
 */
const readings = new Map<string, Promise<BackupFolder>>()

/** Reads the folder of the backups; null when it does not answer in time. */
export async function readBackupFolder(place: Place): Promise<BackupFolder | null> {
  const { folder } = place
  let reading = readings.get(folder)
  if (!reading) {
    reading = read(place).finally(() => readings.delete(folder))
    readings.set(folder, reading)
  }
  const answered = new AbortController()
  const timeout = pause(TIMEOUT_MS, null, { signal: answered.signal, ref: false }).catch(() => null)
  return Promise.race([reading, timeout]).finally(() => answered.abort())
}

async function read({ folder, dataDir }: Place): Promise<BackupFolder> {
  const isLost = await hasLostBackups(folder, dataDir)
  const names = await listBackups(folder)
  const newest = names.at(-1)
  return { isLost, names, isComplete: newest !== undefined && (await holdsDatabase(folder, newest)) }
}
