// Runs on Node 20 or newer; starts the shop with the installed Node.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build, installedNode, install, nodeEnvironment, nodeFlags, projectFolder } from './prepare.mjs'

try {
  await install()
  if (!process.argv.includes('--dev')) await build()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}

// The IPC channel closes when this process ends for any reason, which stops the server.
const command = [...nodeFlags, join(projectFolder, 'server.ts'), ...process.argv.slice(2)]
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
