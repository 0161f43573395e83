import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Source } from '../source.ts'

export interface SqlFolders {
  source: Source
  folder: string
  /** Writes `migrations/0001_lures.sql` or `schema/lures/price.sql`. */
  write(path: string, sql: string): Promise<void>
  remove(path: string): Promise<void>
  close(): Promise<void>
}

/** Creates a source for the schemas `public` and `private` in a temporary folder. */
export async function sqlFolders(options: Partial<Source> = {}): Promise<SqlFolders> {
  const folder = await mkdtemp(join(tmpdir(), 'upgrade-'))
  await mkdir(join(folder, 'migrations'))
  return {
    folder,
    source: sourceIn(folder, options),
    async write(path, sql) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), sql)
    },
    remove: (path) => rm(join(folder, path)),
    close: () => rm(folder, { recursive: true }),
  }
}

export function sourceIn(folder: string, options: Partial<Source> = {}): Source {
  return {
    name: 'shop',
    migrations: join(folder, 'migrations'),
    schema: join(folder, 'schema'),
    records: 'schema_migrations',
    schemas: ['public', 'private'],
    roleOf: () => null,
    managedByServer: [],
    isDynamicTrigger: () => false,
    ...options,
  }
}
