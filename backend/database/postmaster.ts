import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { DatabaseProblem } from './problem.ts'

const STOP_TIMEOUT_MS = 30_000

/** PostgreSQL's first process on a data folder. */
export interface Postmaster {
  pid: number
  port: number
  isReady: boolean
  /** The process that started it, while that lives; null makes the postmaster an orphan. */
  keeper: number | null
}

/** Named on the command line of the postmaster, so that a later process can tell an orphan from a database in use. */
export function keeperArguments(): string[] {
  return ['-c', `cluster_name=keeper-${process.pid}`]
}

/**
 * Reads `postmaster.pid`, believing it only when that process is a PostgreSQL of this folder: after a crash the
 * number may have gone to somebody else.
 */
export async function findPostmaster(data: string): Promise<Postmaster | null> {
  const lines = await readFile(join(data, 'postmaster.pid'), 'utf8').then(
    (text) => text.split('\n').map((line) => line.trim()),
    () => null,
  )
  if (!lines) return null
  const pid = Number(lines[0])
  const found = await inspect(pid)
  if (!found?.commandLine.includes(data)) return null

  const keeper = Number(/cluster_name=keeper-(\d+)/.exec(found.commandLine)?.[1])
  return {
    pid,
    port: Number(lines[3]),
    isReady: lines[7] === 'ready',
    keeper: keeper === found.parent ? keeper : null,
  }
}

/** Throws when a living process keeps a PostgreSQL on the data folder. */
export async function requireNoKeeper(data: string): Promise<void> {
  const keeper = (await findPostmaster(data))?.keeper
  if (keeper)
    throw new DatabaseProblem(`the data folder is in use by another process (${keeper}): stop that one first`)
}

/** Leaves the data folder without a PostgreSQL on it: one that outlived the process that kept it is stopped. */
export async function stopOrphan(data: string): Promise<void> {
  await requireNoKeeper(data)
  const postmaster = await findPostmaster(data)
  if (!postmaster) {
    await rm(join(data, 'postmaster.pid'), { force: true })
    return
  }
  process.kill(postmaster.pid, 'SIGINT')
  const deadline = Date.now() + STOP_TIMEOUT_MS
  while (await findPostmaster(data)) {
    if (Date.now() > deadline) {
      throw new DatabaseProblem(
        `an earlier PostgreSQL (process ${postmaster.pid}) does not stop: end it by hand`,
      )
    }
    await pause(20)
  }
}

async function inspect(pid: number): Promise<{ parent: number; commandLine: string } | null> {
  if (!(pid > 0)) return null
  return process.platform === 'linux' ? inspectProc(pid) : inspectPs(pid)
}

async function inspectProc(pid: number) {
  try {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8')
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in brackets and may itself hold spaces and brackets.
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? null : { parent: Number(parent), commandLine: commandLine.replaceAll('\0', ' ') }
  } catch {
    return null // The process ended while we looked.
  }
}

async function inspectPs(pid: number) {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'ppid=,command=', '-p', String(pid)])
    const [, parent, commandLine = ''] = /^\s*(\d+)\s+(.*)/.exec(stdout) ?? []
    return { parent: Number(parent), commandLine }
  } catch {
    return null // ps fails when there is no such process.
  }
}
