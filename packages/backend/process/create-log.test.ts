import { execFile } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)

const PROGRAM = `
  import { createLog } from '${import.meta.dirname}/create-log.ts'
  const log = createLog()
  log.info({ n: 1 }, 'one')
  const account = { password: 'secret-1', token: 'secret-2', passphrase: 'secret-3', secret: 'secret-4' }
  log.error({ account }, 'two')
  setTimeout(() => {
    log.info('three')
    process.exit()
  })`

/**
 * Opening the pipe occupies the only pool thread, so the first lines are still being written when the process ends. Tells when it waits for
 * them.
 */
const ENDS_DURING_A_WRITE = `
  import { open, writeSync } from 'node:fs'
  import { createLog } from '${import.meta.dirname}/create-log.ts'
  const log = createLog()
  open(process.env.PIPE, 'r', () => {})
  const { wait } = Atomics
  Atomics.wait = (...state) => {
    writeSync(process.stderr.fd, 'waits')
    return wait(...state)
  }
  log.info('one')
  log.info('two')
  setTimeout(() => {
    log.info('three')
    process.exit()
  }, 25)`

it('keeps the order of the log lines when the process ends during a write', async ({ onTestFinished }) => {
  const folder = await mkdtemp(join(tmpdir(), 'log-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const pipe = join(folder, 'pipe')
  await run('mkfifo', [pipe])
  const ended = run(process.execPath, ['--input-type=module', '-e', ENDS_DURING_A_WRITE], {
    env: { ...process.env, UV_THREADPOOL_SIZE: '1', PIPE: pipe },
  })
  const release = () => closeSync(openSync(pipe, 'r+'))
  ended.child.stderr?.once('data', release)
  // A process that does not wait writes its last line first.
  ended.child.stdout?.once('data', release)
  const { stdout } = await ended

  const lines = stdout.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['one', 'two', 'three'])
})

const withEachLevel = (level: string) => `
  import { createLog } from '${import.meta.dirname}/create-log.ts'
  const log = createLog('${level}')
  for (const each of ['debug', 'info', 'warn', 'error']) log[each](each)`

async function linesOf(level: string): Promise<string[]> {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', withEachLevel(level)])
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg)
}

it('writes only lines of the chosen level and above', async () => {
  expect(await linesOf('debug')).toEqual(['debug', 'info', 'warn', 'error'])
  expect(await linesOf('warn')).toEqual(['warn', 'error'])
})

it('writes every log line before the process ends and redacts secrets', async () => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', PROGRAM])

  const lines = stdout.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['one', 'two', 'three'])
  expect(stdout).not.toContain('secret-')
})
