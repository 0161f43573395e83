import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'

it('ends a test run with an endless loop, names the file, and leaves no process behind', async () => {
  const run = spawn('vitest', ['run', '--config', `${import.meta.dirname}/vitest.config.ts`], {
    env: { ...process.env, HUNG_AFTER_MS: '3000', NODE_OPTIONS: '' },
    // The run's processes share its output, so `close` fires when the last of them has ended.
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk) => (output += String(chunk)))

  const [code] = await once(run, 'close')

  expect(output).toContain('never-ends.ts has reported nothing for 3 s: the run ends here.')
  expect(code).toBe(1)
})
