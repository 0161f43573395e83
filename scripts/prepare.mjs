// Plain JavaScript for Node 20, because it runs before any package is installed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compressFiles } from './compress.mjs'

export const projectFolder = fileURLToPath(new URL('..', import.meta.url))

const modules = join(projectFolder, 'node_modules')
const buildStamp = join(projectFolder, 'build', 'sources.sha256')

/** Inputs of the build, without tests. Pictures are compared by name and size. */
const SOURCES =
  'app assets domain emails packages payments public scripts server supabase/functions package-lock.json react-router.config.ts shop.config.ts vite.config.ts'
const HASHED_BY_CONTENT = /\.(js|ts|tsx|css|json|svg|html)$/
const NOT_BUILT = /\.(test|contract\.test|e2e|bench)\.tsx?$/

/** Installs the packages when node_modules does not match the lock file. */
export async function install() {
  if (!isInstalled()) {
    await step('Installing packages', npm(), [
      'ci',
      '--include=dev',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ])
  }
  linkNode()
}

/** npm 10 removes the link together with the packages of other platforms, which all contain a `node`. */
function linkNode() {
  const link = join(modules, '.bin', 'node')
  const { platform, arch } = process
  const installed = [`node-${platform}-${arch}`, `node-bin-${platform}-${arch}`]
    .map((name) => join(modules, name, 'bin', 'node'))
    .find((path) => existsSync(path))
  if (installed && !existsSync(link)) symlinkSync(relative(dirname(link), installed), link)
}

/** Builds the pages and the server bundle when their sources have changed. */
export async function build() {
  const sources = sourcesHash()
  if (existsSync(buildStamp) && readFileSync(buildStamp, 'utf8') === sources) return
  await step('Building the pages', [installedNode(), join(modules, '.bin', 'react-router')], ['build'])
  await compressFiles(join(projectFolder, 'build', 'client'))
  writeFileSync(buildStamp, sources)
}

/**
 * Node flags of the shop's programs. Limits V8's garbage collection threads to spare cores: the default of four competes with the
 * main thread and PostgreSQL. The other flags avoid a deadlock of Node (issue 54918): `process.exit` waits for a thread that
 * compiles, which waits for a garbage collection by the exiting thread. 8 of 374 refused starts on a busy machine never ended
 * without the second flag, and one of some thousands without the third.
 */
export const nodeFlags = [
  `--v8-pool-size=${Math.max(1, Math.min(4, availableParallelism() - 1))}`,
  '--no-concurrent-sparkplug',
  '--no-maglev-build-code-on-background',
]

/** Environment of the shop's process: Node keeps compiled modules, so that later starts take half a second less. */
export const nodeEnvironment = { NODE_COMPILE_CACHE: join(modules, '.cache', 'node') }

/** Returns the path of the installed Node, or of this one when npm has none for the platform. Throws below Node 24. */
export function installedNode() {
  const installed = join(modules, '.bin', 'node')
  if (existsSync(installed)) return installed
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  throw new Error(
    `Node 24 is required. This is ${process.version}, and npm has no Node for ${process.platform}-${process.arch}.`,
  )
}

/** Compares npm's record of the installed packages with the lock file. */
function isInstalled() {
  const installed = packagesIn(join(modules, '.package-lock.json'))
  const wanted = packagesIn(join(projectFolder, 'package-lock.json'))
  return Object.entries(wanted).every(
    ([path, { version, optional, link }]) =>
      path === '' || optional || link || installed[path]?.version === version,
  )
}

function packagesIn(lockFile) {
  return existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, 'utf8')).packages : {}
}

/** Returns the command of the npm that runs this script, or of the one on the PATH. */
function npm() {
  return process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
}

function sourcesHash() {
  const hash = createHash('sha256')
  for (const path of SOURCES.split(' ').flatMap((source) => filesUnder(source))) {
    const file = join(projectFolder, path)
    hash.update(path).update(HASHED_BY_CONTENT.test(path) ? readFileSync(file) : String(statSync(file).size))
  }
  return hash.digest('hex')
}

function filesUnder(path) {
  const stat = statSync(join(projectFolder, path), { throwIfNoEntry: false })
  if (!stat) return []
  if (!stat.isDirectory()) return NOT_BUILT.test(path) ? [] : [path]
  const names = readdirSync(join(projectFolder, path)).toSorted()
  return names.flatMap((name) => filesUnder(`${path}/${name}`))
}

/** Runs a command and prints title and duration; throws with the command's output when it fails. */
function step(title, [command, ...first], rest) {
  const start = Date.now()
  process.stderr.write(`${title} … `)
  return new Promise((settle, fail) => {
    const child = spawn(command, [...first, ...rest], {
      cwd: projectFolder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const progress = process.stderr.isTTY ? setInterval(() => process.stderr.write('.'), 1000) : undefined
    child.on('error', fail)
    child.on('close', (code) => {
      clearInterval(progress)
      process.stderr.write(`${((Date.now() - start) / 1000).toFixed(1)} s\n`)
      if (code === 0) settle()
      else fail(new Error(`${output.trim()}\n\n${title} failed.`))
    })
  })
}
