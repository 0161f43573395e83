import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** What a running shop reads, besides packages. */
const OWN = [
  'assets',
  'build',
  'deploy',
  'domain',
  'emails',
  'package.json',
  'packages',
  'payments',
  'scripts/admin.ts',
  'scripts/backup.ts',
  'scripts/database.ts',
  'scripts/doctor.ts',
  'scripts/keys.ts',
  'scripts/move',
  'scripts/move.ts',
  'scripts/restore-moment.ts',
  'scripts/restore.ts',
  'server',
  'server.ts',
  'shop.config.ts',
  'supabase',
]

/** Tests, benchmarks, earlier releases' databases, source maps, type declarations, Node's headers. */
const LEFT_OUT = [
  /\.(test|e2e|bench)\.tsx?$/,
  /^packages\/backend\/(bench|contracts|testing)\//,
  /\/(attacks|testing|tests)\//,
  /^supabase\/(releases|tests)\//,
  /^build\/sources\.sha256$/,
  /^node_modules\/node-[^/]+\/(include|share)\//,
  /^node_modules\/.*(\.d\.[cm]?ts|\.map|\.md|\.flow)$/,
]

const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      link: z.boolean().optional(),
    }),
  ),
})

/**
 * Returns the paths of the files and links that a release contains, relative to the project and sorted. The packages are those of
 * the lock file that production needs and npm installed for this platform.
 */
export async function collectFiles(project: string): Promise<string[]> {
  const { packages } = lockFile.parse(JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8')))
  const installed = Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path.startsWith('node_modules/') && !dev && !devOptional)
    .map(([path]) => path)
  const lists = await Promise.all([
    ...OWN.map((path) => filesBelow(project, path)),
    // Node runs no TypeScript below node_modules: the workspace's package stays a link.
    ...installed.map((path) => (packages[path]?.link ? [path] : filesBelow(project, path))),
  ])
  const files = lists.flat().filter((path) => !LEFT_OUT.some((pattern) => pattern.test(path)))
  return [...files, 'node_modules/.bin/node'].toSorted()
}

/** Lists files and links below a path; leaves out the nested packages, which have their own entry in the lock file. */
async function filesBelow(project: string, path: string): Promise<string[]> {
  const entries = await readdir(join(project, path), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOTDIR' || error.code === 'EINVAL') return null
      // Packages of other platforms are in the lock file only.
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  if (!entries) return [path]
  const lists = await Promise.all(
    entries
      .filter(({ name }) => name !== 'node_modules')
      .map(async (entry) => {
        const below = `${path}/${entry.name}`
        return entry.isDirectory() ? filesBelow(project, below) : [below]
      }),
  )
  return lists.flat()
}
