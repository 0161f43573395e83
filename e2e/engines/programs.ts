import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const START_WITHIN_MS = 30_000
const END_WITHIN_MS = 5000

/** Processes that must not outlive the runner; a browser leads a process group of its own. */
const running = new Set<ChildProcess>()
process.on('exit', () => running.forEach((child) => signal(child, 'SIGKILL')))
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => process.exit(1))

/** The full path of the first of these programs that is installed. */
export function findProgram(...names: string[]): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const paths = names.flatMap((name) =>
    name.startsWith('/') ? [name] : folders.map((folder) => join(folder, name)),
  )
  return paths.find((path) => isProgram(path)) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Starts a program and returns what `pattern` captures in its output. */
export function startProgram(
  path: string,
  args: string[],
  { pattern, env }: { pattern: RegExp; env?: NodeJS.ProcessEnv },
) {
  const child = spawn(path, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  running.add(child)
  return new Promise<{ child: ChildProcess; found: string }>((resolve, reject) => {
    let output = ''
    const fail = (why: string) => reject(new Error(`${path} ${why}:\n${output}`))
    const timer = setTimeout(() => fail('did not start'), START_WITHIN_MS)
    const read = (chunk: unknown) => {
      output += String(chunk)
      const match = pattern.exec(output)
      if (!match) return
      clearTimeout(timer)
      resolve({ child, found: match[1] ?? '' })
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('error', (error) => fail(error.message))
    child.once('exit', (code) => fail(`ended with ${code}`))
  })
}

/** Stops a program and its process group: SIGTERM first, then SIGKILL. */
export async function stopProgram(child: ChildProcess): Promise<void> {
  running.delete(child)
  const hasEnded = child.exitCode !== null || child.signalCode !== null
  const ended = hasEnded ? Promise.resolve() : once(child, 'exit')
  signal(child, 'SIGTERM')
  const force = setTimeout(() => signal(child, 'SIGKILL'), END_WITHIN_MS)
  await ended
  clearTimeout(force)
  signal(child, 'SIGKILL')
}

function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (!pid) return
  try {
    process.kill(-pid, name)
  } catch {
    // The group has ended.
  }
}
