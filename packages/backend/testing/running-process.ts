import { type ChildProcess, spawn } from 'node:child_process'

const OPEN_WITHIN_MS = 60_000

export interface ExitResult {
  code: number | null
  output: string
}

export interface Program {
  folder: string
  /** Node's flags, the program's path and its arguments. */
  args: string[]
  env?: Record<string, string>
}

/** Starts a Node program with a clean environment. It ends with the tests' process, which closes the IPC channel. */
export function launchProgram({ folder, args, env }: Program) {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (text += String(chunk)))
  return { process: child, output: () => text }
}

/** Resolves to true once the process prints a match, which must arrive in one chunk; false after the timeout. */
export function waitForOutput(child: ChildProcess, what: RegExp): Promise<boolean> {
  return new Promise((settle) => {
    const timer = setTimeout(() => settle(false), OPEN_WITHIN_MS)
    child.stdout?.on('data', (chunk) => {
      if (!what.test(String(chunk))) return
      clearTimeout(timer)
      settle(true)
    })
  })
}
