// Runs on Node 20 or newer; starts the shop with the installed Node.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build, installedNode, install, nodeEnvironment, nodeFlags, projectFolder } from './prepare.mjs'

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

// The IPC channel closes when this process ends for any reason, which stops the server.
const command = [...nodeFlags, join(projectFolder, 'server.ts'), ...given]
const shop = spawn(installedNode(), command, {
  cwd: projectFolder,
  env: { ...process.env, ...nodeEnvironment },
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
})
// npm does not forward signals: stop the shop when npm has ended.
const npm = process.ppid
if (process.env.npm_lifecycle_event)
  setInterval(() => process.ppid === npm || shop.kill('SIGTERM'), 500).unref()
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => shop.kill(signal))
shop.on('exit', (code) => process.exit(code ?? 1))
