import { appendFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exists } from './exists.ts'

/** In the data folder: a line for each program that ended without being told to. */
export const CRASH_FILE = 'crashes.txt'
const KEPT_MS = 24 * 3_600_000

export interface Crash {
  at: Date
  program: string
}

/** Returns the crashes of the last day, the oldest first. */
export async function readCrashes(dataDir: string): Promise<Crash[]> {
  const content = await readFile(join(dataDir, CRASH_FILE), 'utf8').catch(() => '')
  return content.split('\n').flatMap((line) => {
    const [, time = '', program = ''] = /^(\S+Z) (.+)$/.exec(line) ?? []
    const at = new Date(time)
    return Date.now() - at.getTime() < KEPT_MS ? [{ at, program }] : []
  })
}

/** Notes that a program ended without being told to. A disk that is full must not make it worse: never rejects. */
export async function noteCrash(dataDir: string, program: string): Promise<void> {
  // A line that was cut off by a full disk must not swallow the next one.
  const line = `\n${new Date().toISOString()} ${program}`
  await appendFile(join(dataDir, CRASH_FILE), line).catch(() => undefined)
}

/**
 * Marks a program as running, and notes a crash if the run before was not ended. Returns a function that ends the run. Never rejects.
 */
export async function markRunning(dataDir: string, program: string): Promise<() => Promise<void>> {
  const mark = join(dataDir, `${program}.running`)
  await forgetOldCrashes(dataDir)
  if (await exists(mark)) await noteCrash(dataDir, program)
  await writeFile(mark, String(process.pid)).catch(() => undefined)
  return () => rm(mark, { force: true }).catch(() => undefined)
}

async function forgetOldCrashes(dataDir: string): Promise<void> {
  const path = join(dataDir, CRASH_FILE)
  if (!(await exists(path))) return
  const lines = (await readCrashes(dataDir)).map(({ at, program }) => `\n${at.toISOString()} ${program}`)
  await writeFile(path, lines.join('')).catch(() => undefined)
}
