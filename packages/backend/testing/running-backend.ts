import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client } from 'pg'
import { inject } from 'vitest'
import type { ClientKeys } from '#backend/auth/keys/client-keys.ts'
import { freePort } from '#backend/process/free-port.ts'
import { type ExitResult, launchProgram, waitForOutput } from './running-process.ts'
import { databaseAt } from './templates.ts'

const FOLDER = resolve(import.meta.dirname, '..')
/** Node flags of the package's commands. */
export const NODE_FLAGS = ['--no-concurrent-sparkplug', '--no-maglev-build-code-on-background']
const PROGRAM = [...NODE_FLAGS, 'standalone/main.ts']

export interface RunningBackend {
  url: string
  databaseUrl: string
  dataDir: string
  pid: number
  /** The keys that it printed at its first start. */
  keys: ClientKeys
  output(): string
  sql(text: string): Promise<unknown[]>
  /** Kills it with SIGKILL and starts another on the same database and folder. */
  killAndRestart(): Promise<void>
  /** Stops it with a signal as an operator would. Returns the exit code. */
  stop(): Promise<number | null>
}

/** Starts the command on a database that has only the objects of `schema`. */
export async function startBackend(schema: string, args: string[] = []): Promise<RunningBackend> {
  const databaseUrl = await emptyDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'backend-running-'))
  const port = String(await freePort())
  await run(databaseUrl, schema)
  const where = ['--database-url', databaseUrl, '--port', port, '--data-dir', dataDir]
  const open = async () => {
    const { process: backend, output } = launchProgram({
      folder: FOLDER,
      args: [...PROGRAM, ...where, ...args],
    })
    const ended = once(backend, 'exit')
    const isOpen = await Promise.race([waitForOutput(backend, /listening at/), ended.then(() => false)])
    if (!isOpen) throw new Error(`the backend did not open:\n${output()}`)
    return { backend, output, ended }
  }
  let running = await open()
  const { output } = running
  const [, publishable = '', secret = ''] = /publishable +(\S+)\n +secret +(\S+)/.exec(output()) ?? []
  return {
    url: `http://localhost:${port}`,
    databaseUrl,
    dataDir,
    pid: running.backend.pid ?? 0,
    keys: { publishable, secret },
    output,
    async killAndRestart() {
      running.backend.kill('SIGKILL')
      await running.ended
      running = await open()
    },
    sql: (text) => run(databaseUrl, text),
    async stop() {
      const { backend, ended } = running
      if (backend.exitCode === null && backend.signalCode === null) backend.kill('SIGTERM')
      await ended
      await rm(dataDir, { recursive: true, force: true })
      await run(
        inject('superuserUrl'),
        `drop database "${new URL(databaseUrl).pathname.slice(1)}" with (force)`,
      )
      return backend.exitCode
    },
  }
}

/** Runs one of its commands, or a start that it should reject, until it exits. */
export async function runBackend(args: string[], env: Record<string, string> = {}): Promise<ExitResult> {
  const { process: backend, output } = launchProgram({ folder: FOLDER, args: [...PROGRAM, ...args], env })
  await once(backend, 'close')
  return { code: backend.exitCode, output: output() }
}

async function emptyDatabase(): Promise<string> {
  const name = `empty_${randomUUID().replaceAll('-', '')}`
  await run(inject('superuserUrl'), `create database ${name} template template0`)
  return databaseAt(inject('superuserUrl'), name)
}

async function run(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
