import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'restore-commands-'))
  await mkdir(join(root, 'bin'))
  await mkdir(join(root, 'data'))
  await writeFile(join(root, 'data/shop'), '')
})
afterEach(() => rm(root, { recursive: true }))

/** Prints its name and arguments, and runs `script` with the last of these as `$last`. */
async function writeProgram(name: string, script: string): Promise<void> {
  const content = `#!/bin/sh\necho "${name} $*"\nfor last; do :; done\n${script}\n`
  await writeFile(join(root, 'bin', name), content, { mode: 0o755 })
}

/** Returns the commands that deploy/README.md prints in a section, for folders of this test. */
async function commandsOf(section: string): Promise<string> {
  const readme = await readFile(join(import.meta.dirname, 'README.md'), 'utf8')
  const [, commands = ''] = /```\n(.+?)```/s.exec(readme.slice(readme.indexOf(`\n## ${section}\n`))) ?? []
  return commands
    .replaceAll('/var/lib/saltfreak', join(root, 'data'))
    .replaceAll('/srv/shop/deploy/container', root)
    .replaceAll(/(?<= )\/data\b/g, join(root, 'data'))
}

/** Runs the commands with a `restore` that runs `script`. Returns what was called. */
async function run(section: string, script: string): Promise<string[]> {
  const restore = `case "$*" in *--into*) ${script};; esac`
  await writeProgram('systemctl', '')
  await writeProgram('install', 'mkdir -p "$last"')
  await writeProgram('saltfreak', restore)
  await writeProgram('docker', `${restore}\n[ "$4" != --entrypoint ] || { shift 6; exec sh "$@"; }`)
  const env = { ...process.env, PATH: `${join(root, 'bin')}:${process.env.PATH}` }
  const { stdout } = await promisify(execFile)('sh', ['-c', await commandsOf(section)], { env }).catch(
    (error: Error & { stdout: string }) => error,
  )
  return stdout.trim().split('\n')
}

const SECTIONS = ['Restoring a backup', 'Containers']

it.each(SECTIONS)(
  'puts a restored copy in the place of the shop’s data and keeps that data, by the commands of "%s"',
  async (section) => {
    await run(section, 'mkdir -p "$last" && touch "$last/settings.env"')

    const before = section === 'Containers' ? 'data/before' : 'data.before'
    expect(await readdir(join(root, 'data'))).toContain('settings.env')
    expect(await readdir(join(root, before))).toEqual(['shop'])
  },
)

it.each(SECTIONS)(
  'ends the commands of "%s" when the restore fails, and leaves the shop’s data in its place',
  async (section) => {
    const called = await run(section, 'exit 1')

    expect(called.at(-1)).toContain('--into')
    expect(await readdir(join(root, 'data'))).toEqual(['shop'])
  },
)

it.each(SECTIONS)(
  'moves nothing and starts no shop by the commands of "%s" when the restored folder is empty',
  async (section) => {
    const called = await run(section, 'mkdir -p "$last"')

    expect(await readdir(join(root, 'data'))).toContain('shop')
    expect(called.join()).not.toContain('compose up')
  },
)
