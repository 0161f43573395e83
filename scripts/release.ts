import { createHash } from 'node:crypto'
import { execFile } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { cp, lstat, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { linkPostgresLibraries } from '@saltfreak/backend/tools'
import { build, install, projectFolder } from './prepare.mjs'
import { collectFiles } from './release/collect-files.ts'

/**
 * `npm run release [-- --into <folder>]`: writes one archive with code, build, production packages, Node and PostgreSQL, which starts
 * without network on a machine with the same platform.
 */
const run = promisify(execFile)

try {
  const { values } = parseArgs({ options: { into: { type: 'string', default: 'release' } } })
  await install()
  await build()
  console.log(`Wrote ${await writeRelease(resolve(projectFolder, values.into))}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

async function writeRelease(folder: string): Promise<string> {
  const { version, compatibleFrom } = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8'))
  const name = `saltfreak-${version}-${process.platform}-${process.arch}`
  await linkPostgresLibraries()
  const files = await collectFiles(projectFolder)
  const work = await mkdtemp(join(tmpdir(), 'release-'))
  try {
    const top = join(work, name)
    for (const file of files) {
      // One by one: thousands of files at once would use up the descriptors.
      await cp(join(projectFolder, file), join(top, file), { verbatimSymlinks: true })
    }
    const facts = { version, compatibleFrom, platform: `${process.platform}-${process.arch}` }
    await writeFile(join(top, 'release.json'), `${JSON.stringify(facts, null, 2)}\n`)
    await writeFile(join(top, 'SHA256SUMS'), await checksums(top, [...files, 'release.json']))
    await mkdir(folder, { recursive: true })
    const archive = join(folder, `${name}.tar.gz`)
    // Root unpacks it: the files must not belong to whichever user has the builder's number.
    await run('tar', ['--owner=0', '--group=0', '--sort=name', '-czf', archive, '-C', work, name])
    await writeFile(`${archive}.sha256`, `${await hashOf(archive)}  ${name}.tar.gz\n`)
    return archive
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** In the format of `sha256sum --check`. */
async function checksums(top: string, files: string[]): Promise<string> {
  const lines: string[] = []
  for (const file of files) {
    if ((await lstat(join(top, file))).isFile()) lines.push(`${await hashOf(join(top, file))}  ${file}\n`)
  }
  return lines.join('')
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of createReadStream(path)) hash.update(part)
  return hash.digest('hex')
}
