import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { openTestFiles, type TestFiles } from '#backend/testing/files.ts'
import { copyFiles } from './create-backup.ts'
import { readStoredFile } from './stored-files.ts'

let stored: TestFiles
beforeAll(async () => {
  stored = await openTestFiles()
})
afterAll(() => stored.close())

it('backs up the files of the store that the shop uses, and copies each of them once', async () => {
  const folder = join(stored.dataDir, 'backup')
  const source = { dataDir: '/nowhere', files: stored.files }
  await stored.files.write('objects/aa/aa-1', Buffer.from('a picture'))
  await stored.files.write('derivatives/aa-1/small.webp', Buffer.from('a small picture'))

  const [first] = await copyFiles(source, { folder, encryption: null })
  await stored.files.write('objects/bb/bb-1', Buffer.from('a film'))
  const all = await copyFiles(source, { folder, encryption: null })

  expect(all).toHaveLength(2)
  expect(all).toContain(first)
  expect(await text(Readable.from(readStoredFile(join(folder, first ?? ''), null)))).toBe('a picture')
})
