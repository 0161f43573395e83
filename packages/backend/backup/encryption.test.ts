import { mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Decrypter } from 'age-encryption'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openEncryption } from './encryption.ts'
import { writeStoredFile } from './stored-files.ts'

it('gives a folder one key when the schedule and a command make its first backups at once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'encryption-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const open = () => openEncryption(folder, 'correct horse battery', { create: true, scryptWorkFactor: 4 })

  const writers = await Promise.all([open(), open(), open()])

  const reader = await open()
  for (const writer of writers) {
    const encrypted = writer?.encrypt(Readable.from([Buffer.from('orders')]))
    const plain = encrypted && reader?.decrypt(encrypted)
    expect(Buffer.concat(await Array.fromAsync(plain ?? [])).toString()).toBe('orders')
  }
  expect(await readdir(folder)).toEqual(['key.age'])
})

/** What a full disk leaves of a file. */
const empty = (path: string) => writeFile(path, '')

it.each([
  ['lost', rm],
  ['an empty file for', empty],
])('makes no second key for a folder of encrypted backups that has %s the first', async (_, lose) => {
  const folder = await mkdtemp(join(tmpdir(), 'encryption-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const open = () => openEncryption(folder, 'correct horse battery', { create: true, scryptWorkFactor: 4 })
  const place = { folder: join(folder, '2026-01-01T00-00-00Z'), encryption: await open() }
  await writeStoredFile('settings.json', [Buffer.from('{}')], place)
  await lose(join(folder, 'key.age'))

  await expect(open()).rejects.toThrow(
    `${join(folder, 'key.age')} is gone, without which nothing opens the encrypted backups: copy it back, or choose an empty folder`,
  )
  await expect(open()).rejects.toThrow('is gone')
})

it.each([
  ['a backup', '2026-01-01T00-00-00Z/settings.json'],
  ['a picture of an unfinished backup', 'files/ab/picture'],
])('makes neither a second key nor a backup without one while the key of %s is gone', async (_, path) => {
  const folder = await mkdtemp(join(tmpdir(), 'encryption-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const open = (passphrase: string | null) =>
    openEncryption(folder, passphrase, { create: true, scryptWorkFactor: 4 })
  await writeStoredFile(path, [], { folder, encryption: await open('correct horse battery') })
  await rm(join(folder, 'key.age'))

  await expect(open(null)).rejects.toThrow(`${join(folder, 'key.age')} is gone`)
  await expect(open('correct horse battery')).rejects.toThrow(`${join(folder, 'key.age')} is gone`)
  expect(await openEncryption(folder, null), 'a restore may read a backup that is not encrypted').toBeNull()
})

it('goes on without encryption beside a backup that cannot be read, such as one of another user', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'encryption-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  // Answers with an error; root may read the folders of all users.
  await symlink('2026-01-01T00-00-00Z', join(folder, '2026-01-01T00-00-00Z'))

  expect(await openEncryption(folder, null, { create: true })).toBeNull()
})

it('makes a key in the place of an empty file, as a full disk leaves it, in a folder without backups', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'encryption-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await empty(join(folder, 'key.age'))

  expect(await openEncryption(folder, null)).toBeNull()
  const encryption = await openEncryption(folder, 'correct horse battery', {
    create: true,
    scryptWorkFactor: 4,
  })

  expect(encryption).not.toBeNull()
  expect((await stat(join(folder, 'key.age'))).size).toBeGreaterThan(0)
})

it('unseals the key of a folder once, because each time stops the process for a second', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'encryption-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const open = (passphrase: string) =>
    openEncryption(folder, passphrase, { create: true, scryptWorkFactor: 4 })
  await open('correct horse battery')
  const decrypt = vi.spyOn(Decrypter.prototype, 'decrypt')
  onTestFinished(() => decrypt.mockRestore())

  await open('correct horse battery')
  expect(decrypt).not.toHaveBeenCalled()

  await expect(open('wrong horse battery')).rejects.toThrow('BACKUP_PASSPHRASE does not open')
  await open('correct horse battery')
  expect(decrypt).toHaveBeenCalledTimes(1)
})
