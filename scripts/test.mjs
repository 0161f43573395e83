// Runs on whatever Node the machine has, from 20 on: gets what the tests need, then opens the gate.
import { spawnSync } from 'node:child_process'
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
const { status } = spawnSync(
  installedNode(),
  [join(projectFolder, 'scripts', 'check.ts'), ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
  },
)
process.exit(status ?? 1)
