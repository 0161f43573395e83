import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseEnv, promisify } from 'node:util'
import { expect, it, onTestFinished, vi } from 'vitest'
import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { restoreBackup } from './restore-backup.ts'
import { backedUpShop, countRestoredOrders } from './testing/backed-up-shop.ts'

const shop = backedUpShop()

async function permissionsOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8)
}

it('restores rows, files and settings from a backup that was made while the database was written to', async () => {
  const picture = await shop.addPicture('one')
  const backup = shop.makeBackup()
  const progress = { isDone: false }
  void backup.finally(() => (progress.isDone = true))
  do await shop.run('insert into orders values (0)')
  while (!progress.isDone)
  const { name } = await backup

  const into = join(shop.root, 'restored')
  const { settingsFile } = await shop.restore({ into, from: join(shop.target, name) })

  expect(Number(await countRestoredOrders(into))).toBeGreaterThanOrEqual(36)
  expect(await readFile(join(into, 'storage/objects/ab/one'))).toEqual(picture)
  expect(parseEnv(await readFile(settingsFile, 'utf8'))).toEqual(shop.source.environment)
  expect(await permissionsOf(shop.target), 'backups are closed to other users of the machine').toBe('700')
  expect(await permissionsOf(settingsFile), 'settings are closed to other users of the machine').toBe('600')
})

it('stores nothing readable with a passphrase, and restores only with it', async () => {
  const picture = await shop.addPicture('secret')
  const { name, manifest } = await shop.makeBackup('correct horse battery')
  const stored = await readFile(join(shop.target, manifest.files[0] ?? ''))
  const into = join(shop.root, 'restored')
  const restore = (passphrase: string | null) =>
    restoreBackup({ from: join(shop.target, name), into, passphrase, durable: false })

  expect(stored.includes(picture.subarray(0, 64))).toBe(false)
  await expect(restore(null)).rejects.toThrow('are encrypted: set BACKUP_PASSPHRASE')
  await expect(restore('wrong')).rejects.toThrow('BACKUP_PASSPHRASE does not open the backups')
  await restore('correct horse battery')
  expect(await readFile(join(into, 'storage/objects/ab/secret'))).toEqual(picture)
})

it('lets one of two restores into the same folder through', async () => {
  await shop.makeBackup()
  const into = join(shop.root, 'restored')
  const restore = () => shop.restore({ into })

  const outcomes = await Promise.allSettled([restore(), restore()])

  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await countRestoredOrders(into)).toBe('36')
})

it('refuses to restore from a folder without backups, and into the folder of the backups or a file', async () => {
  const into = join(shop.root, 'restored')
  await expect(shop.restore({ into, from: join(shop.root, 'nothing') })).rejects.toThrow(
    `${join(shop.root, 'nothing')} holds no backup: name a folder that npm run backup has written`,
  )
  expect(existsSync(into)).toBe(false)

  await shop.makeBackup()
  const before = await readdir(shop.target)
  await writeFile(into, 'mine')
  await expect(shop.restore({ into })).rejects.toThrow(
    new DatabaseProblem(`${into} is not a folder that can be written: choose a new folder to restore into`),
  )
  expect(await readFile(into, 'utf8')).toBe('mine')

  await expect(shop.restore({ into: join(shop.target, 'restored') })).rejects.toThrow(
    new DatabaseProblem(
      `${join(shop.target, 'restored')} is in the folder of the backups: choose a new folder to restore into`,
    ),
  )
  expect(await readdir(shop.target)).toEqual(before)
})

it('flushes the restored files while the restore does not count as complete, because of power cuts', async () => {
  await shop.makeBackup()
  const [into, programs] = [join(shop.root, 'restored'), join(shop.root, 'programs')]
  await mkdir(programs)
  const script = `#!/bin/sh\necho "$*" > "$2.flushed" && ls "$2" >> "$2.flushed"\n`
  await writeFile(join(programs, 'sync'), script, { mode: 0o755 })
  vi.stubEnv('PATH', `${programs}:${process.env.PATH}`)
  onTestFinished(() => void vi.unstubAllEnvs())

  await shop.restore({ into, durable: true })

  const [call, ...present] = (await readFile(`${into}.flushed`, 'utf8')).trim().split('\n')
  expect(call).toBe(`--file-system ${into}`)
  expect(present).toEqual(expect.arrayContaining(['postgres', 'restoring', 'settings.env']))
})

it('removes the database of a failed restore also where the folder has a link to it, as under root', async () => {
  await shop.addPicture('one')
  const { manifest } = await shop.makeBackup()
  await rm(join(shop.target, manifest.files[0] ?? ''))
  const [into, outside] = [join(shop.root, 'restored'), join(shop.root, 'outside')]
  const onDamagedFile = async () => {
    await rename(join(into, 'postgres'), outside)
    await symlink(outside, join(into, 'postgres'))
    throw new Error('The drive is gone')
  }

  await expect(
    restoreBackup({ from: shop.target, into, passphrase: null, durable: false, onDamagedFile }),
  ).rejects.toThrow('The drive is gone')

  expect(await readdir(into)).toEqual([])
  expect(existsSync(outside)).toBe(false)
})

it('refuses a full and a read-only folder to restore into, in one line, and leaves nothing there', async (test) => {
  await shop.makeBackup()
  const into = join(shop.root, 'restored')
  await mkdir(into)
  const mount = (options: string) =>
    promisify(execFile)('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', into])
  const isMounted = await mount('size=8m').then(
    () => true,
    () => false,
  )
  if (!isMounted && process.env.TEST_RUN !== 'long') test.skip('this user may not mount a small disk')
  expect(isMounted).toBe(true)
  const restore = () => shop.restore({ into })
  try {
    await expect(restore()).rejects.toThrow(
      new DatabaseProblem(`the disk of ${into} has no room for the copy: choose a folder on another disk`),
    )
    expect(await readdir(into)).toEqual([])

    await promisify(execFile)('mount', ['-o', 'remount,ro', into])
    await expect(restore()).rejects.toThrow(
      new DatabaseProblem(`${into} is not a folder that can be written: choose a new folder to restore into`),
    )
  } finally {
    await promisify(execFile)('umount', [into])
  }
})
