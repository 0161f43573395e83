import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type EmbeddedPostgres, postgresUrl, startPostgres } from '#backend/database/embedded.ts'
import { dataPath } from '#backend/database/installation.ts'
import { type BackupSource, createBackup } from '../create-backup.ts'
import type { Backup } from '../manifest.ts'
import { type Restored, restoreBackup } from '../restore-backup.ts'
import { ARCHIVE_SETTINGS, archiveSegments, loadChain, SPOOL } from '../wal-archive.ts'

export interface BackedUpShop {
  /** A folder for everything that the test writes. */
  readonly root: string
  /** The folder of the backups, which does not exist yet. */
  readonly target: string
  readonly source: BackupSource
  run(this: void, sql: string): Promise<string>
  /** Returns the content of a new file. */
  addPicture(this: void, name: string): Promise<Buffer>
  makeBackup(this: void, passphrase?: string | null): Promise<Backup>
  /** Waits until PostgreSQL has handed over the current segment of its log. */
  finishSegment(this: void): Promise<void>
  /** Finishes the current segment and takes it to the archive, as the minute's end does. */
  archive(this: void): Promise<void>
  /** Restores into `root/restored` by default. */
  restore(
    this: void,
    options?: { into?: string; from?: string; at?: Date; durable?: boolean },
  ): Promise<Restored>
}

/** A data folder whose running database has 36 orders at the start of each test of a file. */
export function backedUpShop(): BackedUpShop {
  let [root, dataDir] = ['', '']
  let postgres: EmbeddedPostgres
  const run = (sql: string) => firstValue(postgres, sql)
  const target = () => join(root, 'backups')
  const source = () => ({
    dataDir,
    version: '1.0.0',
    environment: {
      PUBLIC_URL: 'https://shop.example',
      MAIL_FROM: '"Saltfreak" <orders@shop.example>',
      SMTP_URL: 'smtps://shop:it\'s "50$\\n#1"@mail.example',
    },
  })

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'backed-up-'))
    postgres = await startPostgres(dataDir, { settings: ARCHIVE_SETTINGS })
    await run('create table orders (number int)')
  })
  beforeEach(async ({ onTestFinished }) => {
    root = await mkdtemp(join(tmpdir(), 'backups-'))
    // Not `afterEach`, which runs before the test's own `onTestFinished`: its backups may still be running then.
    onTestFinished(() => rm(root, { recursive: true, force: true }))
    await run('truncate orders')
    await run('insert into orders select generate_series(1, 36)')
    await rm(join(dataDir, 'storage'), { recursive: true, force: true })
    // Each backup before has left segments, which every archive here would compress again.
    await rm(join(await dataPath(dataDir), SPOOL), { recursive: true, force: true, maxRetries: 5 })
  })
  afterAll(async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  async function finishSegment(): Promise<void> {
    // An empty segment is not finished.
    await run("select pg_logical_emit_message(true, 'test', 'a record')")
    const segment = await run('select pg_walfile_name(pg_switch_wal())')
    const handedOver = `select last_archived_wal >= '${segment}' from pg_stat_archiver`
    while ((await run(handedOver)) !== 'true') await pause(20)
  }

  return {
    get root() {
      return root
    },
    get target() {
      return target()
    },
    get source() {
      return source()
    },
    run,
    async addPicture(name) {
      const content = randomBytes(100_000)
      await mkdir(join(dataDir, 'storage/objects/ab'), { recursive: true })
      await writeFile(join(dataDir, 'storage/objects/ab', name), content)
      return content
    },
    makeBackup: (passphrase = null) =>
      createBackup(source(), { folder: target(), passphrase, scryptWorkFactor: 4 }),
    finishSegment,
    async archive() {
      await finishSegment()
      const log = { data: await dataPath(dataDir), folder: target(), chain: await loadChain(dataDir) }
      await archiveSegments(log, { encryption: null })
    },
    restore: ({ into = join(root, 'restored'), from = target(), at, durable = false } = {}) =>
      restoreBackup({ from, into, at, durable, passphrase: null }),
  }
}

export async function countRestoredOrders(folder: string): Promise<string> {
  const copy = await startPostgres(folder)
  try {
    return await firstValue(copy, 'select count(*) from orders')
  } finally {
    await copy.stop()
  }
}

async function firstValue(server: EmbeddedPostgres, sql: string): Promise<string> {
  const client = new Client({ connectionString: postgresUrl(server, 'supabase_admin') })
  await client.connect()
  const { rows } = await client.query({ text: sql, rowMode: 'array' })
  await client.end()
  return String(rows[0]?.[0])
}
