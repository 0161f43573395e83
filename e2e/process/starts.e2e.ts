import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { Client } from 'pg'
import { type EmbeddedPostgres, freePort, postgresUrl, startPostgres } from '@saltfreak/backend/testing'
import { unpackShop } from '#test/lived-in-shop/archive.ts'
import { runUntilExit, startShop } from '#test/running-shop.ts'

/** As in packages/backend/database/upgrade/connection.ts. */
const UPGRADE_LOCK = 7_258_373
const STARTS = 3
const RELEASES = join(import.meta.dirname, '../../supabase/releases')

let folder: string

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-starts-'))
})
test.afterAll(() => rm(folder, { recursive: true, force: true }))

/** Another session: it holds locks and looks on. */
async function connect(postgres: EmbeddedPostgres): Promise<Client> {
  const session = new Client({ connectionString: postgresUrl(postgres, 'supabase_admin') })
  await session.connect()
  return session
}

async function count(session: Client, sql: string): Promise<number> {
  const { rows } = await session.query<{ count: number }>(`select count(*)::int as count ${sql}`)
  return rows[0]?.count ?? 0
}

/** Counts the transactions that define functions of the shop. */
const WITNESS = `
  create schema witness;
  create table witness.upgrades (xact xid8 primary key);
  create function witness.note() returns event_trigger language plpgsql security definer as $$
    begin
      insert into witness.upgrades select pg_current_xact_id()
      from pg_event_trigger_ddl_commands() where schema_name in ('public', 'private')
      on conflict do nothing;
    end $$;
  create event trigger witness on ddl_command_end when tag in ('CREATE FUNCTION') execute function witness.note()`

const LOCKS = `from pg_locks where not granted and locktype`

interface Database {
  title: string
  /** Of the release whose used database is upgraded; without it, the database is empty. */
  release?: string
  /** The table that another session has locked. */
  table: string
  admins: number
}

const databases: Database[] = [
  { title: 'an empty database', table: 'pg_catalog.pg_policy', admins: 1 },
  { title: 'a used database of an older release', release: '1.0.0', table: 'public.orders', admins: 2 },
]

for (const { title, release, table, admins } of databases) {
  test(
    `three servers that start at once on ${title} all open while another session locks a table, after one upgrade and without a second first admin`,
    { tag: '@long' },
    async () => {
      test.setTimeout(120_000)
      const dataDir = join(folder, `database-${release ?? 'new'}`)
      if (release) await unpackShop(join(RELEASES, release, 'shop.tar.zst'), dataDir)
      const postgres = await startPostgres(dataDir, { durable: false })
      const [queue, locker] = [await connect(postgres), await connect(postgres)]
      await queue.query(WITNESS)
      await queue.query('select pg_advisory_lock($1)', [UPGRADE_LOCK])
      await locker.query(`begin; lock table ${table} in share mode`)
      const starts = Array.from({ length: STARTS }, (_, number) =>
        startShop({
          DATABASE_URL: postgresUrl(postgres, 'supabase_admin'),
          DATA_DIR: join(folder, `data-${release ?? 'new'}-${number}`),
        }),
      )
      const opened = Promise.allSettled(starts)
      await expect.poll(() => count(queue, `${LOCKS} = 'advisory'`), { timeout: 60_000 }).toBe(STARTS)
      await queue.query('select pg_advisory_unlock($1)', [UPGRADE_LOCK])
      await expect
        .poll(() => count(queue, `${LOCKS} = 'relation'`), { intervals: [20], timeout: 30_000 })
        .toBe(1)
      expect(await count(queue, `${LOCKS} = 'advisory'`)).toBe(STARTS - 1)
      await locker.query('rollback')

      const outcomes = await opened
      const shops = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
      try {
        expect(outcomes.map((outcome) => outcome.status === 'rejected' && String(outcome.reason))).toEqual(
          Array.from({ length: STARTS }, () => false),
        )
        const answers = await Promise.all(shops.map(async ({ url }) => (await fetch(`${url}/readyz`)).status))
        expect(answers).toEqual(Array.from({ length: STARTS }, () => 200))
        expect(await count(queue, `from public.user_roles where role = 'admin'`)).toBe(admins)
        expect(await count(queue, 'from witness.upgrades')).toBe(1)
      } finally {
        await Promise.all(shops.map((shop) => shop.stop()))
        await Promise.all([queue.end(), locker.end()])
        await postgres.stop()
      }
    },
  )
}

// Here and not beside the other start-up errors, because the jobs are in the built pages.
test('a server whose start fails while jobs are running ends with one line', { tag: '@long' }, async () => {
  const dataDir = join(folder, 'blocked')
  await mkdir(join(dataDir, 'first-admin.txt'), { recursive: true })

  const { code, output } = await runUntilExit({ PORT: String(await freePort()), DATA_DIR: dataDir })

  expect(output).toMatch(/^[^\n]+first-admin\.txt[^\n]*\n$/)
  expect(code).toBe(1)
})
