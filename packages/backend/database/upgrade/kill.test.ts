import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, onTestFailed } from 'vitest'
import { catalogueDifferences, snapshotCatalogue } from '#backend/testing/catalogue.ts'
import { emptyDatabase, type TestDatabase } from '#backend/testing/database.ts'
import { countFor, moments, seededRandom } from '#backend/testing/property-runs.ts'
import { type SqlFolders, sqlFolders } from './testing/sql-folders.ts'
import { upgradeDatabase } from './upgrade.ts'

const CHILD = fileURLToPath(new URL('testing/upgrade-once.ts', import.meta.url))
const KILLS = countFor('UPGRADE_KILLS', { gate: 1, long: 30 })
const FIRST = 'create schema private; create table public.lures (id int)'
const OBJECTS = Array.from({ length: 60 }, (_, number) => number)

let sql: SqlFolders
let old: Record<string, string>
let renewed: Record<string, string>
let upgradeMs: number

beforeAll(async () => {
  sql = await sqlFolders()
  await writeNewVersion()
  const reference = await databaseOfOldVersion()
  old = await snapshotCatalogue(reference.url)
  upgradeMs = await runChild(reference)
  renewed = await snapshotCatalogue(reference.url)
  await reference.close()
})

afterAll(() => sql.close())

/** Creates a database with the version before that of the folder `sql`. */
async function databaseOfOldVersion(): Promise<TestDatabase> {
  const made = await emptyDatabase()
  const folder = await sqlFolders()
  await folder.write('migrations/0001_lures.sql', FIRST)
  await folder.write('schema/lures/code.sql', OBJECTS.map((number) => functionOf(number, 'old')).join('\n'))
  const release = { version: '1.0.0', compatibleFrom: '1.0.0' }
  await upgradeDatabase(made.url, { sources: [folder.source], release })
  await folder.close()
  return made
}

async function writeNewVersion(): Promise<void> {
  await sql.write('migrations/0001_lures.sql', FIRST)
  await sql.write(
    'migrations/0002_tables.sql',
    OBJECTS.map((number) => `create table public.t${number} (id int primary key);`).join('\n'),
  )
  await sql.write(
    'schema/lures/code.sql',
    OBJECTS.slice(30)
      .map((number) => functionOf(number, 'new'))
      .join('\n'),
  )
  await sql.write(
    'schema/lures/policies.sql',
    OBJECTS.map(
      (number) =>
        `create policy p on public.t${number} using (true); grant select on public.t${number} to anon;`,
    ).join('\n'),
  )
}

function functionOf(number: number, version: string): string {
  return `create function private.f${number}() returns text language sql as $$ select '${version}' $$;`
}

/** Upgrades in a separate process and kills it after `killAfterMs`. Returns the duration in milliseconds. */
async function runChild({ url }: TestDatabase, killAfterMs?: number): Promise<number> {
  const child = fork(CHILD, [url, sql.folder], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  await once(child, 'message')
  const started = performance.now()
  if (killAfterMs !== undefined) {
    await Promise.race([pause(killAfterMs), ended])
    child.kill('SIGKILL')
  }
  await ended
  return performance.now() - started
}

/** Waits until PostgreSQL has noticed the lost connection and rolled back its transaction. */
async function forgotten({ database }: TestDatabase): Promise<void> {
  await expect
    .poll(
      async () =>
        (
          await database.owner.query(
            `select from pg_stat_activity where datname = current_database() and application_name = 'upgrade'`,
          )
        ).rowCount,
      { timeout: 30_000 },
    )
    .toBe(0)
}

it(
  `leaves a complete old or new schema when the upgrade is killed at random moments (${KILLS})`,
  { timeout: 600_000 },
  async () => {
    const { seed, random } = seededRandom()
    onTestFailed(() => console.error(`PROPERTY_SEED=${seed}`))
    let survivor: TestDatabase | null = null
    // oxlint-disable no-await-in-loop -- parallel upgrades would slow each other down and miss the kill times
    for (const moment of moments(KILLS, random)) {
      survivor ??= await databaseOfOldVersion()
      await runChild(survivor, moment * upgradeMs)
      await forgotten(survivor)

      const found = await snapshotCatalogue(survivor.url)
      if (catalogueDifferences(old, found).length > 0) {
        expect(catalogueDifferences(renewed, found)).toEqual([])
        await survivor.close()
        survivor = null
      }
    }
    // oxlint-enable no-await-in-loop
    survivor ??= await databaseOfOldVersion()
    await runChild(survivor)
    expect(catalogueDifferences(renewed, await snapshotCatalogue(survivor.url))).toEqual([])
    await survivor.close()
  },
)
