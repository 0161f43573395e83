// Runs on Node 20 or newer: installs packages and browser, then runs all checks.
import { join } from 'node:path'
import { installBrowsers } from './browser.mjs'
import { install, projectFolder } from './prepare.mjs'
import { runProgram } from './run-program.mjs'

process.chdir(projectFolder)
try {
  await install()
  installBrowsers()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}

runProgram([join(projectFolder, 'scripts', 'check.ts'), ...process.argv.slice(2)])
