import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startTestServer } from '@saltfreak/backend/testing'
import { PLANTED_FAULTS } from '#test/faults/catalogue.ts'
import { type PlantedFault, plant } from '#test/faults/fault.ts'
import type { TestRequest } from '#test/faults/run-tests.ts'
import { buildShopTemplate } from '#test/templates.ts'

/**
 * `npm run test:faults [-- <word>…]`: plants every fault of `test/faults/` (or those whose rule or file contains all words) in a copy of
 * the working tree, one at a time, and runs the tests that must notice. Lists the faults that survive, and tests that fail without a fault;
 * fails if there are any.
 */
const project = resolve(import.meta.dirname, '..')
const TIMEOUT_MS = 2 * 60_000

const words = process.argv.slice(2)
const chosen = PLANTED_FAULTS.filter(({ rule, file }) =>
  words.every((word) => `${rule} ${file}`.includes(word)),
)
const waiting = [...chosen]
let survivors = 0
/** By test paths: the first error without a fault. */
const soundness = new Map<string, Promise<string | null>>()
/** Only faults in SQL need a PostgreSQL of their own: its templates contain the fault. */
const server = await startTestServer()
const problem = await buildShopTemplate(server.superuserUrl)
if (problem) throw new Error(problem)

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

interface TestRunner {
  child: ChildProcess
  end: Promise<unknown>
}

class Copy {
  readonly folder: string
  #runner: TestRunner | undefined

  constructor(folder: string) {
    this.folder = folder
  }

  /** Returns the first error of the tests; null when they pass. */
  async findError(request: TestRequest): Promise<string | null> {
    if (request.file.endsWith('.sql')) return this.#findErrorAnew(request)
    this.#runner ??= this.#startRunner()
    const { child, end } = this.#runner
    const answer = once(child, 'message').then(
      (replies: { error: string | null }[]) => replies[0]?.error ?? null,
    )
    const hung = Promise.race([end, pause(TIMEOUT_MS, undefined, { ref: false })]).then(
      () => 'the tests hang',
    )
    child.send({ file: request.file, tests: request.tests })
    const error = await Promise.race([answer, hung])
    if (error === 'the tests hang') this.stop()
    return error
  }

  #startRunner(): TestRunner {
    const child = fork(join(project, 'test/faults/run-tests.ts'), {
      cwd: this.folder,
      env: { ...process.env, TEST_SERVER_URL: server.superuserUrl },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    return { child, end: once(child, 'exit') }
  }

  async #findErrorAnew({ tests }: TestRequest): Promise<string | null> {
    const run = spawn('vitest', ['run', '--bail', '1', '--maxWorkers', '1', ...tests], {
      cwd: this.folder,
      stdio: 'ignore',
      timeout: TIMEOUT_MS,
    })
    const [code] = await once(run, 'exit')
    return code === 0 ? null : 'the tests fail'
  }

  stop(): void {
    this.#runner?.child.kill('SIGKILL')
    this.#runner = undefined
  }
}

async function work(): Promise<void> {
  const copy = new Copy(await copyProject())
  try {
    for (let fault = waiting.shift(); fault; fault = waiting.shift()) {
      // oxlint-disable-next-line no-await-in-loop -- a copy holds one fault at a time
      await tryFault(copy, fault)
    }
  } finally {
    copy.stop()
    await rm(copy.folder, { recursive: true })
  }
}

async function tryFault(copy: Copy, fault: PlantedFault): Promise<void> {
  const start = performance.now()
  const outcome = await outcomeOf(copy, fault)
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  console.log(`${outcome} ${fault.rule} (${fault.file}, ${seconds} s)`)
  if (outcome !== '✓') survivors += 1
}

async function outcomeOf(copy: Copy, fault: PlantedFault): Promise<string> {
  const error = await findErrorWithoutFault(copy, fault)
  if (error !== null) return `✗ TESTS FAIL WITHOUT THE FAULT (${error}):`
  const remove = await plant(copy.folder, fault)
  const isNoticed = (await copy.findError(fault)) !== null
  await remove()
  return isNoticed ? '✓' : '✗ SURVIVED'
}

/** Otherwise a test that always fails would seem to notice. */
function findErrorWithoutFault(copy: Copy, fault: PlantedFault): Promise<string | null> {
  const key = fault.tests.join()
  const known = soundness.get(key) ?? copy.findError(fault)
  soundness.set(key, known)
  return known
}

try {
  await Promise.all(Array.from({ length: availableParallelism() }, work))
} finally {
  await server.stop()
}
console.log(`\n${chosen.length} planted, ${survivors} survived`)
process.exitCode = survivors > 0 || chosen.length === 0 ? 1 : 0
