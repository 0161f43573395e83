import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

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

/** Its only pool thread is busy, so the first lines are still being written when the process ends. */
const ENDS_DURING_A_WRITE = `
  import { pbkdf2 } from 'node:crypto'
  import { createLog } from '${import.meta.dirname}/create-log.ts'
  const log = createLog()
  pbkdf2('', '', 30_000, 64, 'sha512', () => {})
  log.info('one')
  log.info('two')
  setTimeout(() => {
    log.info('three')
    process.exit()
  }, 25)`

it('keeps the order of the log lines when the process ends during a write', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', ENDS_DURING_A_WRITE],
    { env: { ...process.env, UV_THREADPOOL_SIZE: '1' } },
  )

  const lines = stdout.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['one', 'two', 'three'])
})

it('writes every log line before the process ends and redacts secrets', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM])

  const lines = stdout.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['one', 'two', 'three'])
  expect(stdout).not.toContain('secret-')
})
