import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const PROGRAM = `
  import { createLog } from '${import.meta.dirname}/log.ts'
  const log = createLog()
  log.info({ n: 1 }, 'one')
  log.error({ account: { password: 'salt-water-42' } }, 'two')
  setTimeout(() => {
    log.info('three')
    process.exit()
  })`

it('writes every log line before the process ends and redacts secrets', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM])

  const lines = stdout.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['one', 'two', 'three'])
  expect(stdout).not.toContain('salt-water-42')
})
