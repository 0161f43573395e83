// Runs on whatever Node the machine has, from 20 on: gets what the tests need, then opens the gate.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { getBrowser } from './browser.mjs'
import { install, installedNode, projectFolder } from './prepare.mjs'

process.chdir(projectFolder)
try {
  await install()
  getBrowser()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}

const bin = join(projectFolder, 'node_modules', '.bin')
const check = spawn(installedNode(), [join(projectFolder, 'scripts', 'check.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
})
// A signal that ended this process alone would leave the check, its tests and their databases running. A terminal's
// SIGINT reaches the check by itself.
process.on('SIGINT', () => undefined)
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => check.kill(signal))
const [status] = await once(check, 'exit')
process.exit(status ?? 1)
