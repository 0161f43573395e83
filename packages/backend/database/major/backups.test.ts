import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBackup } from '#backend/backup/create-backup.ts'
import { restoreBackup } from '#backend/backup/restore-backup.ts'
import { ARCHIVE_SETTINGS, archiveSegments, loadChain } from '#backend/backup/wal-archive.ts'
import { isLongRun } from '#backend/testing/property-runs.ts'
import { quietLog } from '#backend/testing/quiet-log.ts'
import { postgresUrl, startPostgres } from '../embedded.ts'
import { moveToNewestMajor } from './move-to-newest.ts'
import { LURES, postgres17, runOn } from './testing/data-folder.ts'
import { smallApplication } from './testing/small-application.ts'

let prepared: Awaited<ReturnType<typeof postgres17>>
let folder: string
beforeAll(async () => {
  prepared = await postgres17()
  folder = await prepared.copy()
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await prepared.close()
})

const ADD = `insert into public.lures (name) values ('Later')`

it.runIf(isLongRun)(
  'restores a moment before the move to a newer PostgreSQL from the backups of before',
  async () => {
    const target = join(folder, '..', `backups-${process.pid}`)
    const source = { dataDir: folder, version: '1.0.0', environment: {} }
    const backUp = () => createBackup(source, { folder: target, passphrase: null })
    try {
      const moment = await tradeOnOldPostgres(target, backUp)
      await moveToNewestMajor(folder, { application: smallApplication(prepared.sql.folder), log: quietLog })
      expect(await runOn(folder, ADD, LURES)).toBe('18 503 503')
      const { manifest } = await backUp()

      expect(manifest.postgresMajor).toBe(18)
      const restored = `${target}-restored`
      await restoreBackup({ from: target, into: restored, at: moment, passphrase: null })
      expect(await runOn(restored, LURES)).toBe('17 501 501')
    } finally {
      await rm(target, { recursive: true, force: true })
      await rm(`${target}-restored`, { recursive: true, force: true })
    }
  },
)

/** Adds a row, and another one after the moment that it returns; the archive has both. */
async function tradeOnOldPostgres(target: string, backUp: () => Promise<unknown>): Promise<Date> {
  const postgres = await startPostgres(folder, { settings: ARCHIVE_SETTINGS })
  const client = new Client({ connectionString: postgresUrl(postgres, 'supabase_admin') })
  await client.connect()
  try {
    await backUp()
    await client.query(ADD)
    const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
    await pause(5)
    await client.query(ADD)
    return rows[0]?.now ?? new Date()
  } finally {
    await client.end()
    // Hands over the rest of the log.
    await postgres.stop()
    const data = join(folder, 'postgres')
    await archiveSegments({ data, folder: target, chain: await loadChain(folder) }, { encryption: null })
  }
}
