// Runs on Node 20 or newer; starts the shop with the installed Node.
import { join } from 'node:path'
import { build, install, nodeEnvironment, nodeFlags, projectFolder } from './prepare.mjs'
import { runProgram } from './run-program.mjs'

const USAGE = `npm start      runs the shop
npm run dev    runs it with hot reload

Settings are environment variables or lines of the file .env, such as PORT=8080: docs/operations.md lists them.`

const given = process.argv.slice(2)
if (given.some((argument) => argument === '--help' || argument === '-h')) {
  console.log(USAGE)
  process.exit()
}
const unknown = given.find((argument) => argument !== '--dev')
if (unknown !== undefined) {
  console.error(`npm start does not know ${unknown}: npm start -- --help says what it knows`)
  process.exit(1)
}

try {
  await install()
  if (!given.includes('--dev')) await build()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}

runProgram([...nodeFlags, join(projectFolder, 'server.ts'), ...given], nodeEnvironment)
