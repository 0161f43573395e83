import { spawn, execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { PLANTED_FAULTS } from '#test/faults/catalogue.ts'
import { type PlantedFault, plant } from '#test/faults/fault.ts'

/**
 * `npm run test:faults [-- <word>…]`: plants every fault of `test/faults/` (or those whose rule or file contains a word) in a copy of the
 * working tree, one at a time, and runs the tests that must notice. Lists the faults that survive; fails if there are any.
 */
const project = resolve(import.meta.dirname, '..')
const TIMEOUT_MS = 5 * 60_000

const words = process.argv.slice(2)
const chosen = PLANTED_FAULTS.filter(({ rule, file }) =>
  words.every((word) => `${rule} ${file}`.includes(word)),
)
const waiting = [...chosen]
const survivors: PlantedFault[] = []

/** A copy of the tracked files. Packages are linked, except the workspace's own, which must come from the copy. */
async function copyProject(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'faults-'))
  const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: project,
    encoding: 'utf8',
  })
  for (const path of tracked.split('\0').filter((name) => name && !/^assets\/.*\.mp4$/.test(name))) {
    // oxlint-disable-next-line no-await-in-loop -- thousands of small files
    await cp(join(project, path), join(copy, path)).catch(ignoreDeleted)
  }
  await mkdir(join(copy, 'node_modules/@saltfreak'), { recursive: true })
  const packages = await readdir(join(project, 'node_modules'))
  await Promise.all(
    packages
      .filter((name) => name !== '@saltfreak')
      .map((name) => symlink(join(project, 'node_modules', name), join(copy, 'node_modules', name))),
  )
  await symlink('../../packages/backend', join(copy, 'node_modules/@saltfreak/backend'))
  return copy
}

function ignoreDeleted(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

/** Whether the tests fail. Tests that hang have noticed, too. */
function areNoticed(copy: string, tests: string[]): Promise<boolean> {
  const run = spawn('vitest', ['run', '--passWithNoTests', '--bail', '1', '--maxWorkers', '1', ...tests], {
    cwd: copy,
    stdio: 'ignore',
    timeout: TIMEOUT_MS,
  })
  return new Promise((settle) => run.once('exit', (code) => settle(code !== 0)))
}

async function work(): Promise<void> {
  const copy = await copyProject()
  try {
    for (let fault = waiting.shift(); fault; fault = waiting.shift()) {
      // oxlint-disable-next-line no-await-in-loop -- a copy holds one fault at a time
      await tryFault(copy, fault)
    }
  } finally {
    await rm(copy, { recursive: true })
  }
}

async function tryFault(copy: string, fault: PlantedFault): Promise<void> {
  const start = performance.now()
  const remove = await plant(copy, fault)
  const noticed = await areNoticed(copy, fault.tests)
  await remove()
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  console.log(`${noticed ? '✓' : '✗ SURVIVED'} ${fault.rule} (${fault.file}, ${seconds} s)`)
  if (!noticed) survivors.push(fault)
}

await Promise.all(Array.from({ length: availableParallelism() }, work))
console.log(`\n${chosen.length} planted, ${survivors.length} survived`)
process.exitCode = survivors.length > 0 || chosen.length === 0 ? 1 : 0
