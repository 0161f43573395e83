import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { DatabaseProblem } from './database-problem.ts'

const STOP_TIMEOUT_MS = 30_000

/** PostgreSQL's first process on a data folder. */
export interface Postmaster {
  pid: number
  port: number
  isReady: boolean
  /** Process id of the parent that started it; null for an orphan, whose parent has ended. */
  supervisor: number | null
  /** Its parent runs it for other processes (`shareDatabase`). */
  isShared: boolean
}

/** Puts this process id on the postmaster's command line, so that another process can recognise an orphan. */
export function supervisorArguments(isShared: boolean): string[] {
  return ['-c', `cluster_name=${isShared ? 'shared' : 'keeper'}-${process.pid}`]
}

/** Reads `postmaster.pid` and verifies the command line: after a crash, another program may have the same process id. */
export async function findPostmaster(data: string): Promise<Postmaster | null> {
  const lines = await readFile(join(data, 'postmaster.pid'), 'utf8').then(
    (text) => text.split('\n').map((line) => line.trim()),
    () => null,
  )
  if (!lines) return null
  const pid = Number(lines[0])
  const found = await inspect(pid)
  if (!found?.commandLine.includes(data)) return null

  const [, role, parent] = /cluster_name=(keeper|shared)-(\d+)/.exec(found.commandLine) ?? []
  const supervisor = Number(parent)
  return {
    pid,
    port: Number(lines[3]),
    isReady: lines[7] === 'ready',
    supervisor: supervisor === found.parent ? supervisor : null,
    isShared: role === 'shared',
  }
}

/** Throws when another process runs a PostgreSQL on the data folder. */
export async function requireNotRunning(data: string): Promise<void> {
  const supervisor = (await findPostmaster(data))?.supervisor
  if (supervisor)
    throw new DatabaseProblem(
      `the data folder is in use by another process (${supervisor}): stop that one first`,
    )
}

/** Stops a PostgreSQL whose parent process has ended; throws when the parent is alive. */
export async function stopOrphan(data: string): Promise<void> {
  await requireNotRunning(data)
  const postmaster = await findPostmaster(data)
  if (!postmaster) return
  process.kill(postmaster.pid, 'SIGINT')
  const deadline = Date.now() + STOP_TIMEOUT_MS
  while (await findPostmaster(data)) {
    if (Date.now() > deadline) {
      throw new DatabaseProblem(
        `an earlier PostgreSQL (process ${postmaster.pid}) does not stop: end that process manually`,
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
    // The second field is the program's name in parentheses, which may itself contain spaces and parentheses.
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? null : { parent: Number(parent), commandLine: commandLine.replaceAll('\0', ' ') }
  } catch {
    return null // The process has ended in the meantime.
  }
}

async function inspectPs(pid: number) {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'ppid=,command=', '-p', String(pid)])
    const [, parent, commandLine = ''] = /^\s*(\d+)\s+(.*)/.exec(stdout) ?? []
    return { parent: Number(parent), commandLine }
  } catch {
    return null // `ps` fails when the process does not exist.
  }
}
