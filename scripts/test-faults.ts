import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { copyTemplate, onServer, startTestServer, type TestPostgres } from '@saltfreak/backend/testing'
import { PLANTED_FAULTS } from '#test/faults/catalogue.ts'
import { type PlantedFault, plant } from '#test/faults/fault.ts'
import type { TestRequest } from '#test/faults/run-tests.ts'
import { nodeEnvironment } from './prepare.mjs'
import { buildShopTemplate, type TemplateName } from '#test/templates.ts'

/**
 * `npm run test:faults [-- --quarter <1 to 4>] [--minutes <number>] [<word>…]`: plants every fault of `test/faults/` (or a quarter of them,
 * or those whose rule or file contains all words) in a copy of the working tree, one at a time, and runs the tests that must notice. With
 * `--minutes`, plants them in random order and begins none after that time. Lists the faults that survive or cannot be applied, and tests
 * that fail without a fault; fails if there are any. Shows the error that noticed each fault: on a busy machine a time limit may be no proof.
 */
const project = resolve(import.meta.dirname, '..')
const TIMEOUT_MS = 2 * 60_000
const { values, positionals: words } = parseArgs({
  options: { quarter: { type: 'string' }, minutes: { type: 'string' } },
  allowPositionals: true,
})
const chosen = PLANTED_FAULTS.filter(
  ({ rule, file }, at) =>
    words.every((word) => `${rule} ${file}`.includes(word)) &&
    (values.quarter === undefined || at % 4 === Number(values.quarter) - 1),
)
const deadline = performance.now() + Number(values.minutes ?? Infinity) * 60_000
const waiting = values.minutes === undefined ? [...chosen] : shuffled(chosen)
let survivors = 0
/** By test paths: the first error without a fault. */
const soundness = new Map<string, Promise<string | null>>()

function shuffled<Item>(items: Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

/** A copy of the tracked files. Packages are linked, except the workspace's own, which must come from the copy. */
async function copyProject(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'faults-'))
  const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: project,
    encoding: 'utf8',
  })
  for (const path of tracked.split('\0').filter((name) => name && !/^assets\/.*\.mp4$/.test(name))) {
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

/** A program that answers each message with the first error, or null when there is none. */
class Program {
  readonly #start: () => ChildProcess
  #running: { child: ChildProcess; end: Promise<unknown> } | undefined

  constructor(start: () => ChildProcess) {
    this.#start = start
  }

  /** Ends the program and returns `hanging` when no answer comes in time. */
  async ask(request: object, hanging: string): Promise<string | null> {
    const { child, end } = (this.#running ??= this.#run())
    const answer = once(child, 'message').then(
      (replies: { error: string | null }[]) => replies[0]?.error ?? null,
    )
    const hung = Promise.race([end, pause(TIMEOUT_MS, undefined, { ref: false })]).then(() => hanging)
    child.send(request)
    const error = await Promise.race([answer, hung])
    if (error === hanging) this.stop()
    return error
  }

  stop(): void {
    this.#running?.child.kill('SIGKILL')
    this.#running = undefined
  }

  #run() {
    const child = this.#start()
    return { child, end: once(child, 'exit') }
  }
}

/** A copy of the project with a PostgreSQL of its own, because a fault in SQL changes the server's templates. */
class Copy {
  readonly folder: string
  readonly #server: TestPostgres
  readonly #tests: Program
  /** Stays, because loading its modules takes four times as long as applying the SQL. */
  readonly #sql: Program

  private constructor(folder: string, server: TestPostgres) {
    this.folder = folder
    this.#server = server
    this.#tests = this.#program(join(project, 'test/faults/run-tests.ts'))
    this.#sql = this.#program(join(folder, 'test/faults/apply-sql.ts'))
  }

  static async make(): Promise<Copy> {
    const server = await startTestServer()
    const problem = await buildShopTemplate(server.superuserUrl)
    if (problem) throw new Error(problem)
    const copy = new Copy(await copyProject(), server)
    await copy.#onServer(['bare', 'shop'].map((name) => `alter database ${name} rename to sound_${name}`))
    await copy.#restoreTemplates(['bare', 'shop'])
    return copy
  }

  /** Returns the first error of the tests; null when they pass. */
  findError({ file, tests }: TestRequest): Promise<string | null> {
    return this.#tests.ask({ file, tests }, 'the tests hang')
  }

  /** Plants a fault for the time of `work`. Throws if its SQL cannot be applied. */
  async withFault<Result>(fault: PlantedFault, use: () => Promise<Result>): Promise<Result> {
    const remove = await plant(this.folder, fault)
    const changed = templatesWith(fault.file)
    try {
      if (changed.length > 0) await this.#applySql(changed)
      return await use()
    } finally {
      await remove()
      await this.#onServer(changed.map((name) => `drop database ${name} with (force)`))
      await this.#restoreTemplates(changed)
    }
  }

  async remove(): Promise<void> {
    this.#tests.stop()
    this.#sql.stop()
    await this.#server.stop()
    await rm(this.folder, { recursive: true })
  }

  async #restoreTemplates(names: string[]): Promise<void> {
    for (const name of names) await copyTemplate(this.#server.superuserUrl, `sound_${name}`, name)
  }

  #onServer(statements: string[]): Promise<void> {
    return onServer(this.#server.superuserUrl, async (server) => {
      for (const statement of statements) await server.query(statement)
    })
  }

  async #applySql(templates: TemplateName[]): Promise<void> {
    const error = await this.#sql.ask({ templates }, 'its SQL hangs')
    if (error !== null) throw new Error(error)
  }

  #program(path: string): Program {
    return new Program(() =>
      fork(path, {
        cwd: this.folder,
        env: { ...process.env, ...nodeEnvironment, TEST_SERVER_URL: this.#server.superuserUrl },
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      }),
    )
  }
}

/** The template databases that contain the SQL of a file: the shop's is a copy of the bare one. */
function templatesWith(file: string): TemplateName[] {
  if (!file.endsWith('.sql')) return []
  return file.startsWith('supabase/') ? ['shop'] : ['bare', 'shop']
}

async function work(): Promise<void> {
  const copy = await Copy.make()
  try {
    while (performance.now() < deadline) {
      const fault = waiting.shift()
      if (!fault) break
      await tryFault(copy, fault)
    }
  } finally {
    await copy.remove()
  }
}

async function tryFault(copy: Copy, fault: PlantedFault): Promise<void> {
  const start = performance.now()
  const { isNoticed, words: outcome } = await outcomeOf(copy, fault)
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  console.log(`${isNoticed ? '✓' : '✗'} ${fault.rule} (${fault.file}, ${seconds} s): ${outcome}`)
  if (!isNoticed) survivors += 1
}

async function outcomeOf(copy: Copy, fault: PlantedFault): Promise<{ isNoticed: boolean; words: string }> {
  const unsound = await findErrorWithoutFault(copy, fault)
  if (unsound !== null) return { isNoticed: false, words: `TESTS FAIL WITHOUT THE FAULT: ${unsound}` }
  try {
    const error = await copy.withFault(fault, () => copy.findError(fault))
    // Vite's words for code that cannot be parsed.
    if (error?.startsWith('Transform failed')) throw new Error(error)
    return { isNoticed: error !== null, words: error?.split('\n', 1)[0] ?? 'SURVIVED' }
  } catch (error) {
    return { isNoticed: false, words: `CANNOT BE APPLIED: ${String(error)}` }
  }
}

/** Otherwise a test that always fails would seem to notice. */
function findErrorWithoutFault(copy: Copy, fault: PlantedFault): Promise<string | null> {
  const key = fault.tests.join()
  const known = soundness.get(key) ?? copy.findError(fault)
  soundness.set(key, known)
  return known
}

await Promise.all(Array.from({ length: availableParallelism() }, work))
const planted = chosen.length - waiting.length
const left = waiting.length > 0 ? `, ${waiting.length} not planted for lack of time` : ''
console.log(`\n${planted} planted, ${survivors} survived${left}`)
process.exitCode = survivors > 0 || planted === 0 ? 1 : 0
