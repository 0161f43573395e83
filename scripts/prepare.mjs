// Plain JavaScript for Node 20: this runs before anything is installed.
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

/** What the build is made of. Tests are left out, pictures count by name and size. */
const SOURCES =
  'app assets backend domain emails payments public scripts server supabase/functions package-lock.json react-router.config.ts shop.config.ts vite.config.ts'
const READ_WHOLE = /\.(js|ts|tsx|css|json|svg|html)$/
const NOT_BUILT = /\.(test|contract\.test|e2e|bench)\.tsx?$/

/** Installs what the lock file asks for and node_modules lacks. */
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

/** npm 10 takes the link away again with the packages of other platforms, which all bring a `node`. */
function linkNode() {
  const link = join(modules, '.bin', 'node')
  const { platform, arch } = process
  const brought = [`node-${platform}-${arch}`, `node-bin-${platform}-${arch}`]
    .map((name) => join(modules, name, 'bin', 'node'))
    .find((path) => existsSync(path))
  if (brought && !existsSync(link)) symlinkSync(relative(dirname(link), brought), link)
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
 * What the shop's process is started with. V8 has four threads that collect garbage, whatever the machine has; where there is no core
 * for them they stand in the way of the one that answers, and of PostgreSQL.
 */
export const nodeFlags = [`--v8-pool-size=${Math.max(1, Math.min(4, availableParallelism() - 1))}`]

/** The Node that the installation brings, or this one where there is none for the platform. */
export function installedNode() {
  const brought = join(modules, '.bin', 'node')
  if (existsSync(brought)) return brought
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  throw new Error(
    `Node 24 is needed, this is ${process.version}, and npm has none for ${process.platform}-${process.arch}`,
  )
}

/** npm writes down what it has put into node_modules; that must be what the lock file asks for. */
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

/** The npm that runs this script, else the one on the PATH. */
function npm() {
  return process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ['npm']
}

function sourcesHash() {
  const hash = createHash('sha256')
  for (const path of SOURCES.split(' ').flatMap((source) => filesUnder(source))) {
    const file = join(projectFolder, path)
    hash.update(path).update(READ_WHOLE.test(path) ? readFileSync(file) : String(statSync(file).size))
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

/** Says what takes long and how long it took; what the program says is shown when it fails. */
function step(title, [command, ...first], rest) {
  const start = Date.now()
  process.stderr.write(`${title} … `)
  return new Promise((settle, fail) => {
    const child = spawn(command, [...first, ...rest], {
      cwd: projectFolder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
    const ticking = process.stderr.isTTY ? setInterval(() => process.stderr.write('.'), 1000) : undefined
    child.on('error', fail)
    child.on('close', (code) => {
      clearInterval(ticking)
      process.stderr.write(`${((Date.now() - start) / 1000).toFixed(1)} s\n`)
      if (code === 0) settle()
      else fail(new Error(`${said.trim()}\n\n${title} failed.`))
    })
  })
}
