// Runs on Node 20 or newer: installs the packages of a fresh checkout, then runs a program of this folder: `run.mjs <name> [argument …]`.
import { join } from 'node:path'
import { install, nodeFlags } from './prepare.mjs'
import { runProgram } from './run-program.mjs'

const [name, ...given] = process.argv.slice(2)
try {
  await install()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
runProgram([...nodeFlags, join(import.meta.dirname, `${name}.ts`), ...given])
