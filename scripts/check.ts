import { spawn } from 'node:child_process'
import { build } from './prepare.mjs'

/** What the official client is told in process it must be told over a socket as well; these have sockets of their own. */
const ON_SOCKETS_ANYWAY = ['realtime', 'standalone'].flatMap((name) => ['--exclude', `backend/${name}/**`])

/** The gate, in order. A step that fails does not keep the others from telling what they know. */
const STEPS: [name: string, command: string[] | (() => Promise<void>)][] = [
  ['format', ['oxfmt', '--check']],
  ['lint', ['npm', 'run', '--silent', 'lint']],
  ['types', ['npm', 'run', '--silent', 'types']],
  ['unit', ['vitest', 'run', '--exclude', 'supabase/**']],
  ['database', ['vitest', 'run', 'supabase/']],
  ['sockets', ['vitest', 'run', '--mode', 'socket', ...ON_SOCKETS_ANYWAY, '.contract.']],
  ['build', build],
  ['e2e', ['playwright', 'test']],
]

const results: { name: string; passed: boolean; seconds: string }[] = []
for (const [name, work] of STEPS) {
  console.log(`\n▸ ${name}`)
  const start = performance.now()
  const passed = await (typeof work === 'function' ? succeeds(work) : runs(work))
  results.push({ name, passed, seconds: ((performance.now() - start) / 1000).toFixed(1) })
}

const failed = results.filter(({ passed }) => !passed)
console.log()
for (const { name, passed, seconds } of results) {
  console.log(`${passed ? '✓' : '✗'} ${name.padEnd(10)}${seconds.padStart(7)} s`)
}
console.log(`\n${results.length - failed.length} passed, ${failed.length} failed`)
process.exitCode = failed.length > 0 ? 1 : 0

function runs([command = '', ...args]: string[]): Promise<boolean> {
  return new Promise((settle) => {
    const child = spawn(command, args, { stdio: 'inherit' })
    child.once('error', (error) => {
      console.error(error.message)
      settle(false)
    })
    child.once('exit', (code) => settle(code === 0))
  })
}

async function succeeds(work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return false
  }
}
