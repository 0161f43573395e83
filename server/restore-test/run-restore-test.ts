import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { join } from 'node:path'
import { removeTriedCopies } from '@saltfreak/backend'
import type { Pool } from 'pg'
import type { Settings } from '../settings.ts'
import { recordRestoreTest } from './record-restore-test.ts'
import { restoreTestResult, type RestoreTestResult } from './test-restore.ts'

const PROGRAM = join(import.meta.dirname, '..', '..', 'scripts', 'restore.ts')

interface TestOptions {
  owner: Pool
  settings: Pick<Settings, 'backup' | 'databaseUrl' | 'dataDir'>
  /** As of `os.setPriority`. By default, every other program goes first. */
  priority?: number
}

/** The weekly job: tests the newest backup and records what it found. Does nothing when the shop makes no backups of its own database. */
export async function runRestoreTest(
  { owner, settings, priority = constants.priority.PRIORITY_LOW }: TestOptions,
  signal?: AbortSignal,
): Promise<void> {
  const { backup, databaseUrl, dataDir } = settings
  if (!backup || databaseUrl) return
  await recordRestoreTest(owner, await testInOtherProcess(backup.folder, { dataDir, priority, signal }))
}

/** In a process of its own: unpacking takes minutes of processor time, which would delay the shop's responses. */
async function testInOtherProcess(
  folder: string,
  { dataDir, priority, signal }: { dataDir: string; priority: number; signal: AbortSignal | undefined },
): Promise<RestoreTestResult> {
  const child = fork(PROGRAM, ['--test', folder, '--send', '--priority', String(priority)], {
    signal,
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  try {
    const ended = once(child, 'close').then(() => [])
    const [result]: unknown[] = await Promise.race([once(child, 'message'), ended])
    await ended
    const parsed = restoreTestResult.safeParse(result)
    if (!parsed.success) throw new Error('the restore test ended without a result')
    return parsed.data
  } finally {
    await exitOf(child)
    await removeTriedCopies(dataDir)
  }
}

async function exitOf(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
