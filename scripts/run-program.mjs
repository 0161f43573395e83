// Plain JavaScript for Node 20, because it also runs before any package is installed.
import { spawn } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { installedNode, projectFolder } from './prepare.mjs'

/**
 * Runs a program with the installed Node, and ends this process with its exit code. `command`: Node's flags, the program's path and
 * its arguments. The program can call the installed packages' commands by name.
 */
export function runProgram(command, environment = {}) {
  const bin = join(projectFolder, 'node_modules', '.bin')
  // The IPC channel closes when this process ends for any reason, which stops a program that serves.
  const child = spawn(installedNode(), command, {
    cwd: projectFolder,
    env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, ...environment },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  // npm does not forward signals: stop the program when npm has ended.
  const npm = process.ppid
  if (process.env.npm_lifecycle_event)
    setInterval(() => process.ppid === npm || child.kill('SIGTERM'), 500).unref()
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => process.exit(code ?? 1))
}
