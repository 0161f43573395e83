import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { keepBackups } from './keep-backups.ts'
import { restoreFiles } from './restore-files.ts'
import { removeOldBackups } from './retention.ts'
import { backedUpShop, countRestoredOrders } from './testing/backed-up-shop.ts'
import { verifyBackups } from './verify-backup.ts'
import { archiveFolder, listArchive } from './wal-archive.ts'

const shop = backedUpShop()

async function damageManifest(name: string): Promise<void> {
  const manifest = (await readdir(join(shop.target, name))).find((each) => each.startsWith('manifest')) ?? ''
  await writeFile(join(shop.target, name, manifest), 'damaged')
}

/** Changes a manifest as an attacker with write access to the folder does: its name tells its hash. */
async function rewriteManifest(
  name: string,
  change: (manifest: { files: string[] }) => object,
): Promise<void> {
  const file = (await readdir(join(shop.target, name))).find((each) => each.startsWith('manifest')) ?? ''
  const content = JSON.stringify(change(JSON.parse(await readFile(join(shop.target, name, file), 'utf8'))))
  const hash = createHash('sha256').update(content).digest('hex')
  await rm(join(shop.target, name, file))
  await writeFile(join(shop.target, name, file.replace(/[0-9a-f]{64}/, hash)), content)
}

/** Replaces a folder by one that answers with an error, as one of another user does; root may read that one. */
async function makeUnreadable(folder: string): Promise<string> {
  await rm(folder, { recursive: true })
  await symlink(folder, folder)
  return `${folder} cannot be read (ELOOP): check its drive, and let this user own its files`
}

it('says that the backups cannot be read, not that there are none', async () => {
  const { name } = await shop.makeBackup()
  const problem = await makeUnreadable(join(shop.target, name))

  expect((await verifyBackups(shop.target)).problems).toEqual([problem])
  await expect(shop.restore()).rejects.toThrow(new DatabaseProblem(problem))
  await expect(shop.restore({ from: join(shop.target, name) })).rejects.toThrow(new DatabaseProblem(problem))
  await expect(verifyBackups(join(shop.target, name))).rejects.toThrow(new DatabaseProblem(problem))
})

it('refuses to restore without the archived log when its folder cannot be read', async () => {
  const { manifest } = await shop.makeBackup()
  await shop.archive()
  const problem = await makeUnreadable(archiveFolder(shop.target, manifest.chain))

  await expect(shop.restore()).rejects.toThrow(new DatabaseProblem(problem))
})

/** Restores the files alone, because a restored database proves nothing about them. */
const filesTarget = () => ({
  target: join(shop.root, 'restored'),
  encryption: null,
  onDamagedFile: async () => undefined,
})

it('refuses to restore without the files when their folder cannot be read', async () => {
  await shop.addPicture('one')
  const backup = await shop.makeBackup()
  const problem = await makeUnreadable(join(shop.target, 'files'))

  await expect(restoreFiles(backup, filesTarget())).rejects.toThrow(new DatabaseProblem(problem))
})

it('finds a flipped byte, and refuses to restore from the damaged file', async () => {
  await shop.addPicture('one')
  const { name, manifest } = await shop.makeBackup()
  expect(await verifyBackups(shop.target)).toEqual({ backups: 1, problems: [] })
  const path = join(shop.target, name, manifest.database ?? '')
  const bytes = await readFile(path)
  bytes[5000] = (bytes[5000] ?? 0) ^ 1
  await writeFile(path, bytes)

  const into = join(shop.root, 'restored')
  expect((await verifyBackups(shop.target)).problems).toEqual([`${path} is missing or damaged`])
  await expect(shop.restore({ into })).rejects.toThrow(`${path} is missing or damaged: use another backup`)
  expect(await readdir(into)).toEqual([])
})

/** Changes a byte of a stored file. Returns its path. */
async function flipByte(folder: string, name: string): Promise<string> {
  const path = join(folder, (await readdir(folder)).find((each) => each.startsWith(name)) ?? '')
  const bytes = await readFile(path)
  bytes[50] = (bytes[50] ?? 0) ^ 1
  await writeFile(path, bytes)
  return path
}

it('restores everything else when a picture is damaged or missing, and names it', async () => {
  await shop.addPicture('one')
  await shop.addPicture('two')
  const { manifest } = await shop.makeBackup()
  const damaged = await flipByte(join(shop.target, 'files/ab'), 'one')
  const lost = join(shop.target, manifest.files.find((path) => path.includes('two')) ?? '')
  await rm(lost)

  const into = join(shop.root, 'restored')
  const { skipped } = await shop.restore({ into })

  const sentences = [damaged, lost].map(
    (path) => `${path} is missing or damaged, so the copy lacks this picture or film`,
  )
  expect(skipped.toSorted()).toEqual(sentences)
  expect(await countRestoredOrders(into)).toBe('36')
  expect(await readdir(join(into, 'storage/objects/ab'))).toEqual([])
})

it('copies a picture again after its copy was found damaged', async () => {
  const content = await shop.addPicture('one')
  await shop.makeBackup()
  await flipByte(join(shop.target, 'files/ab'), 'one')
  expect((await verifyBackups(shop.target)).problems).toHaveLength(1)

  const backup = await shop.makeBackup()

  expect(await verifyBackups(shop.target)).toEqual({ backups: 2, problems: [] })
  expect(await restoreFiles(backup, filesTarget())).toEqual([])
  expect(await readFile(join(shop.root, 'restored/storage/objects/ab/one'))).toEqual(content)
})

it('takes the new copy of a picture for that of an earlier backup, which names the damaged one', async () => {
  await shop.addPicture('one')
  const passphrase = 'correct horse battery'
  await shop.makeBackup(passphrase)
  await flipByte(join(shop.target, 'files/ab'), 'one')
  await verifyBackups(shop.target)

  await shop.makeBackup(passphrase)

  expect(await verifyBackups(shop.target)).toEqual({ backups: 2, problems: [] })
})

it('says that the key of encrypted backups is gone, also when its file is empty', async () => {
  await shop.makeBackup('correct horse battery')
  const key = join(shop.target, 'key.age')
  const problems = [expect.stringMatching(`^${key} is gone, `)]

  await writeFile(key, '')
  expect((await verifyBackups(shop.target)).problems).toEqual(problems)
  await rm(key)
  expect((await verifyBackups(shop.target)).problems).toEqual(problems)
})

it('restores a named backup as it was made, without what happened afterwards, although the log after it is damaged', async () => {
  const { name, manifest } = await shop.makeBackup()
  await shop.run('insert into orders values (37)')
  await shop.archive()
  await shop.run('insert into orders values (38)')
  await shop.archive()
  const archive = archiveFolder(shop.target, manifest.chain)
  await flipByte(archive, (await readdir(archive)).toSorted().at(-1) ?? '')

  const into = join(shop.root, 'restored')
  const { skipped } = await shop.restore({ into, from: join(shop.target, name) })

  expect(skipped).toEqual([])
  expect(await countRestoredOrders(into)).toBe('36')
})

it('restores until a damaged piece of the log, and says that the rest is missing', async () => {
  const { manifest } = await shop.makeBackup()
  await shop.run('insert into orders values (37)')
  await shop.archive()
  await shop.run('insert into orders values (38)')
  const moment = new Date(await shop.run('select clock_timestamp()::text'))
  await shop.archive()
  const archive = archiveFolder(shop.target, manifest.chain)
  const damaged = await flipByte(archive, (await readdir(archive)).toSorted().at(-1) ?? '')

  const lack = `${damaged} is damaged, so orders and other changes since about 20.* are missing`

  await expect(shop.restore({ at: moment })).rejects.toThrow(
    RegExp(`ends before 20.* \\(${lack}\\): leave --at out`),
  )

  const into = join(shop.root, 'restored')
  const { skipped } = await shop.restore({ into })
  expect(skipped).toEqual([expect.stringMatching(`^${lack}$`)])
  expect(await countRestoredOrders(into)).toBe('37')
})

it('restores from the backup before a damaged one, with the log since, and names the damaged one', async () => {
  const first = await shop.makeBackup()
  await rename(join(shop.target, first.name), join(shop.target, '2026-01-01T00-00-00Z'))
  await shop.run('insert into orders select generate_series(1, 5)')
  const { name } = await shop.makeBackup()
  await shop.archive()
  await damageManifest(name)

  const into = join(shop.root, 'restored')
  const { skipped } = await shop.restore({ into })

  expect(skipped).toEqual([expect.stringMatching(`${name}/manifest.*is missing or damaged`)])
  expect(await countRestoredOrders(into)).toBe('41')
})

it('archives the log although the newest backup is damaged', async () => {
  const { name, manifest } = await shop.makeBackup()
  await damageManifest(name)
  await shop.run('insert into orders values (37)')
  const segment = await shop.run('select pg_walfile_name(pg_switch_wal())')

  const log = { info: () => undefined, error: () => undefined }
  const schedule = { folder: shop.target, passphrase: null, everyHours: 24, log, pollMs: 20 }
  const kept = keepBackups(shop.source, schedule)

  await expect.poll(async () => (await listArchive(shop.target, manifest.chain)).has(segment)).toBe(true)
  await kept.stop()
})

it('keeps the files and the log that a damaged backup may need, and names that backup', async () => {
  await shop.addPicture('one')
  const name = '2026-01-01T00-00-00Z'
  await rename(join(shop.target, (await shop.makeBackup()).name), join(shop.target, name))
  await shop.archive()
  await damageManifest(name)
  await rm(join(shop.source.dataDir, 'storage/objects/ab/one'))
  await shop.makeBackup()

  await expect(removeOldBackups(shop.target)).rejects.toThrow(
    RegExp(
      `^no pictures and no log are removed while a backup cannot be read: .*${name}/manifest.* is missing or damaged`,
    ),
  )

  expect(await readdir(join(shop.target, 'files/ab'))).toHaveLength(1)
})

it('writes nothing outside the restored folder when a manifest names a file there', async () => {
  await shop.addPicture('tiger')
  const { name } = await shop.makeBackup()
  await rewriteManifest(name, (manifest) => ({
    ...manifest,
    files: manifest.files.map((path) => path.replace(/^files\/ab/, 'files/../../outside')),
  }))

  const restored = shop.restore()

  await expect(restored).rejects.toThrow(/is not a manifest of this program/)
  expect(existsSync(join(shop.root, 'outside'))).toBe(false)
})

it('refuses to restore a backup of a newer version, and says with which version', async () => {
  const { name } = await shop.makeBackup()
  await rewriteManifest(name, (manifest) => ({ ...manifest, format: 99 }))
  const into = join(shop.root, 'restored')

  await expect(shop.restore({ into })).rejects.toThrow(
    new DatabaseProblem(
      `a newer version made the backup ${join(shop.target, name)}: restore it with that version`,
    ),
  )
  expect(existsSync(into)).toBe(false)
})
