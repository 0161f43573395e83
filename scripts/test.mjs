// Runs on Node 20 or newer: installs packages and browser, then runs all checks.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { installBrowsers } from './browser.mjs'
import { install, installedNode, projectFolder } from './prepare.mjs'

process.chdir(projectFolder)
try {
  await install()
  installBrowsers()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}

const bin = join(projectFolder, 'node_modules', '.bin')
const check = spawn(installedNode(), [join(projectFolder, 'scripts', 'check.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
})
// Forwards signals, so that the checks and their databases do not keep running. A terminal sends SIGINT to the child itself.
process.on('SIGINT', () => undefined)
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => check.kill(signal))
const [status] = await once(check, 'exit')
process.exit(status ?? 1)
