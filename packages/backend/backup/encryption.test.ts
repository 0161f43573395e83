import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { openEncryption } from './encryption.ts'

it('gives a folder one key when the schedule and a command make its first backups at once', async ({
  onTestFinished,
}) => {
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
