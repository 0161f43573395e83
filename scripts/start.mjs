// Runs on whatever Node the machine has, from 20 on; the shop itself runs on the Node that the installation brings.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build, installedNode, install, nodeFlags, projectFolder } from './prepare.mjs'

try {
  await install()
  if (!process.argv.includes('--dev')) await build()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}

// The channel tells the server when this process is gone, however it went.
const command = [...nodeFlags, join(projectFolder, 'server.ts'), ...process.argv.slice(2)]
const shop = spawn(installedNode(), command, {
  cwd: projectFolder,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
})
// npm that is told to stop ends without passing it on, and would leave the shop running.
const npm = process.ppid
if (process.env.npm_lifecycle_event)
  setInterval(() => process.ppid === npm || shop.kill('SIGTERM'), 500).unref()
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => shop.kill(signal))
shop.on('exit', (code) => process.exit(code ?? 1))
