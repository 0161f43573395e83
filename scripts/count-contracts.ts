/** `npm run contracts`: counts the contract tests by service, as listed by Vitest. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/** These services open their own sockets; the tests of all others run in process and again over a socket. */
const ALWAYS_ON_SOCKETS = new Set(['realtime', 'standalone'])

const folder = await mkdtemp(join(tmpdir(), 'contracts-'))
const list = join(folder, 'list.json')
// Without `--no-static-parse`, every `it.each` would count as one test.
execFileSync('vitest', ['list', '--no-static-parse', '--json', list, '/contracts/'], { stdio: 'inherit' })
const cases: { file: string }[] = JSON.parse(await readFile(list, 'utf8'))
await rm(folder, { recursive: true })

const byService = Map.groupBy(cases, ({ file }) => serviceOf(file))
console.log(`${'service'.padEnd(16)}${'in process'.padStart(12)}${'over a socket'.padStart(15)}`)
for (const [name, { length }] of [...byService].toSorted(([one], [other]) => one.localeCompare(other)))
  print(name, length, ALWAYS_ON_SOCKETS.has(name))

function print(name: string, count: number, isOnSocketsOnly: boolean): void {
  const inProcess = isOnSocketsOnly ? '–' : String(count)
  console.log(`${name.padEnd(16)}${inProcess.padStart(12)}${String(count).padStart(15)}`)
}

function serviceOf(file: string): string {
  const [area, , , service = ''] = relative(process.cwd(), file).split(/[\\/]/)
  return area === 'packages' ? service : 'the shop’s calls'
}
