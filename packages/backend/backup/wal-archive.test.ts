import { mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { startPostgres } from '#backend/database/embedded.ts'
import { dataPath } from '#backend/database/installation.ts'
import { keepBackups } from './keep-backups.ts'
import { backedUpShop, countRestoredOrders } from './testing/backed-up-shop.ts'
import { writeStoredFile } from './stored-files.ts'
import { archiveFolder, isSegment, loadChain, SPOOL } from './wal-archive.ts'

const shop = backedUpShop()

const spaceOf = async () => ({ level: 'low' as const })

it('restores a moment after a backup from the archived log, to the row', async () => {
  await shop.makeBackup()
  await shop.run('insert into orders select generate_series(1, 5)')
  const moment = new Date(await shop.run('select clock_timestamp()::text'))
  await pause(5)
  await shop.run('insert into orders select generate_series(1, 9)')
  await shop.archive()

  await shop.restore({ at: moment })

  expect(await countRestoredOrders(join(shop.root, 'restored'))).toBe('41')
})

it('says how far back the backups reach when an earlier moment is asked for, and how far forward for a later one', async () => {
  await shop.makeBackup()

  await expect(shop.restore({ at: new Date(Date.now() - 3_600_000) })).rejects.toThrow(
    'no backup reaches back to',
  )
  await expect(shop.restore({ at: new Date(Date.now() + 3_600_000) })).rejects.toThrow(
    'leave --at out to restore the newest state',
  )
})

it('gives up waiting log when the disk is nearly full, and makes a backup once the folder can be written again', async () => {
  await shop.makeBackup()
  const spool = join(await dataPath(shop.source.dataDir), SPOOL)
  await rename(shop.target, `${shop.target}.away`)
  await writeFile(shop.target, 'not a folder')
  await shop.run('insert into orders values (37)')
  await shop.finishSegment()
  const waiting = await readdir(spool)
  for (const segment of waiting) await utimes(join(spool, segment), new Date(0), new Date(0))
  const logged: string[] = []
  const log = {
    info: (_: object, text: string) => void logged.push(text),
    error: (_: object, text: string) => void logged.push(text),
  }
  const schedule = { folder: shop.target, passphrase: null, everyHours: 24, log, pollMs: 20, spaceOf }
  const kept = keepBackups(shop.source, schedule)
  onTestFinished(() => kept.stop())
  await expect.poll(() => readdir(spool)).not.toEqual(expect.arrayContaining(waiting))

  await rm(shop.target)
  await rename(`${shop.target}.away`, shop.target)
  await shop.run('insert into orders values (38)')
  await shop.finishSegment()
  await expect.poll(() => logged.at(-1)).toBe('made a backup')
  await kept.stop()

  expect(logged).toContainEqual(
    expect.stringContaining('no moment from now to the next backup can be restored'),
  )
})

/** The message of a logged error: without it, a backup that failed would look like one that was not made. */
function reasons(details: object): string[] {
  return Object.values(details).map((value) =>
    value instanceof Error ? value.message : JSON.stringify(value),
  )
}

async function keepUntilBackedUp(): Promise<void> {
  const logged: string[] = []
  const note = (details: object, text: string) => void logged.push([text, ...reasons(details)].join(': '))

  const kept = keepBackups(shop.source, {
    folder: shop.target,
    passphrase: null,
    everyHours: 24,
    log: { info: (_, text) => note({}, text), error: note },
    pollMs: 20,
  })
  // Also when the test fails: it would take the log of the next one.
  onTestFinished(() => kept.stop())
  await expect.poll(() => logged).toEqual(['made a backup'])
  await kept.stop()
}

it('begins a new history with a backup when the database was replaced by an older copy, whose log differs from the archived', async () => {
  const before = await shop.makeBackup()
  await shop.run('insert into orders values (37)')
  await shop.finishSegment()
  const [segment] = (await readdir(join(await dataPath(shop.source.dataDir), SPOOL))).filter(isSegment)
  if (!segment) throw new Error('PostgreSQL has handed over no segment')
  await writeStoredFile(segment, [Buffer.from('log of the database before')], {
    folder: archiveFolder(shop.target, before.manifest.chain),
    encryption: null,
  })

  await keepUntilBackedUp()

  expect(await loadChain(shop.source.dataDir)).not.toBe(before.manifest.chain)
  await shop.restore()
  expect(await countRestoredOrders(join(shop.root, 'restored'))).toBe('37')
})

it('begins a new history with a backup when an older database came back, whose log lies before all that is kept', async () => {
  const { name, manifest } = await shop.makeBackup()
  const backup = join(shop.target, name)
  await rm(backup, { recursive: true })
  const later = '00000001000000FF00000001'
  const plain = { folder: backup, encryption: null, compress: false }
  const wal = [await writeStoredFile(`wal/${later}`, [], plain)]
  await writeStoredFile('manifest.json', [Buffer.from(JSON.stringify({ ...manifest, wal }))], plain)
  await writeStoredFile(later, [], { ...plain, folder: archiveFolder(shop.target, manifest.chain) })
  await shop.run('insert into orders values (37)')
  await shop.finishSegment()

  await keepUntilBackedUp()

  expect(await loadChain(shop.source.dataDir)).not.toBe(manifest.chain)
})

it('begins a new history for a database that is created where an older one was', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'new-history-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const before = await loadChain(folder)

  const postgres = await startPostgres(folder)
  await postgres.stop()

  expect(await loadChain(folder)).not.toBe(before)
})
