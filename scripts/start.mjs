// Runs on whatever Node the machine has, from 20 on; the shop itself runs on the Node that the installation brings.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { build, installedNode, install, projectFolder } from './prepare.mjs'

try {
  await install()
  if (!process.argv.includes('--dev')) await build()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}

// The channel tells the server when this process is gone, however it went.
const shop = spawn(installedNode(), [join(projectFolder, 'server.ts'), ...process.argv.slice(2)], {
  cwd: projectFolder,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
})
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => shop.kill(signal))
shop.on('exit', (code) => process.exit(code ?? 1))
