import { execFile } from 'node:child_process'
import { mkdir, readdir, rename, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { createBackup } from './create-backup.ts'
import { listBackups } from './manifest.ts'
import { removeLeftovers, removeOldBackups } from './retention.ts'
import { backedUpShop } from './testing/backed-up-shop.ts'

const shop = backedUpShop()

it('copies a picture once for all backups', async () => {
  await shop.addPicture('one')
  const first = await shop.makeBackup()
  await shop.addPicture('two')
  const second = await shop.makeBackup()

  expect(await readdir(join(shop.target, 'files/ab'))).toHaveLength(2)
  expect(first.manifest.files).toHaveLength(1)
  expect(second.manifest.files).toEqual(expect.arrayContaining(first.manifest.files))
})

it('refuses a backup into the data folder, and a restore into a folder with files', async () => {
  await expect(
    createBackup(shop.source, { folder: join(shop.source.dataDir, 'backups'), passphrase: null }),
  ).rejects.toThrow('is in the data folder: choose one on another disk')
  await shop.makeBackup()
  const full = join(shop.root, 'full')
  await mkdir(full)
  await writeFile(join(full, 'note'), 'mine')

  await expect(shop.restore({ into: full })).rejects.toThrow(
    'is not empty: choose a new folder to restore into',
  )
  expect(await readdir(full)).toEqual(['note'])
})

it('refuses a full and a read-only target in one line, and changes nothing there', async (test) => {
  await shop.addPicture('one')
  await mkdir(shop.target)
  const mount = promisify(execFile)('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', shop.target])
  const isMounted = await mount.then(
    () => true,
    () => false,
  )
  if (!isMounted && process.env.TEST_RUN !== 'long') test.skip('this user may not mount a small disk')
  expect(isMounted).toBe(true)
  try {
    await expect(shop.makeBackup('correct horse battery')).rejects.toThrow(
      new DatabaseProblem(
        `the disk of the backup folder ${shop.target} is full: free some space and try again`,
      ),
    )
    expect(await listBackups(shop.target)).toEqual([])
    expect(
      (await readdir(shop.target, { recursive: true })).filter((name) => name.includes('unfinished')),
    ).toEqual([])

    await promisify(execFile)('mount', ['-o', 'remount,ro', shop.target])
    await expect(shop.makeBackup()).rejects.toThrow(
      new DatabaseProblem(`the backup folder ${shop.target} is not writable: choose one that is`),
    )
  } finally {
    await promisify(execFile)('umount', [shop.target])
  }
})

it('leaves nothing behind when a backup fails', async () => {
  await shop.makeBackup()
  await rename(join(shop.source.dataDir, 'postgres.password'), join(shop.source.dataDir, 'lost.password'))
  await expect(shop.makeBackup()).rejects.toThrow()
  await rename(join(shop.source.dataDir, 'lost.password'), join(shop.source.dataDir, 'postgres.password'))

  expect(await listBackups(shop.target)).toHaveLength(1)
  expect((await readdir(shop.target)).filter((name) => name.includes('unfinished'))).toEqual([])
})

it('removes what a killed backup left an hour ago, and log that belongs to no backup', async () => {
  const { name, manifest } = await shop.makeBackup()
  await shop.archive()
  const leftovers = ['2026-01-01T00-00-00Z.unfinished/database.tar', 'files/ab/.killed.unfinished']
  const segment = `wal/former-shop/000000010000000000000001.${'0'.repeat(64)}.zst`
  const running = '2026-01-02T00-00-00Z.unfinished'
  for (const path of [...leftovers, segment, `${running}/database.tar`]) {
    await mkdir(join(shop.target, path, '..'), { recursive: true })
    await writeFile(join(shop.target, path), 'partial')
  }
  const twoHoursAgo = new Date(Date.now() - 7_200_000)
  for (const path of leftovers.flatMap((each) => [each, each.replace('/database.tar', '')]))
    await utimes(join(shop.target, path), twoHoursAgo, twoHoursAgo)

  await removeLeftovers(shop.target)
  await removeOldBackups(shop.target)

  expect((await readdir(shop.target)).toSorted()).toEqual([name, running, 'files', 'wal'].toSorted())
  expect(await readdir(join(shop.target, 'files/ab'))).toEqual([])
  expect(await readdir(join(shop.target, 'wal'))).toEqual([manifest.chain])
})
