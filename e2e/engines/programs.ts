import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const START_WITHIN_MS = 30_000

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
  const child = spawn(path, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
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
