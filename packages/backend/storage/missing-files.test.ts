import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

import { bareDatabase } from '#backend/testing/database.ts'
import { openTestFiles } from '#backend/testing/files.ts'
import { tmpdir } from 'node:os'
import { countMissingFiles } from './missing-files.ts'
import { seedBucket } from './seed-bucket.ts'

it('counts the files of the database that a store lacks, also in an empty one', async () => {
  const test = await bareDatabase()
  const [full, empty] = [await openTestFiles(), await openTestFiles()]
  const folder = await mkdtemp(join(tmpdir(), 'missing-'))
  onTestFinished(async () => {
    await Promise.all([test.close(), full.close(), empty.close(), rm(folder, { recursive: true })])
  })
  const { owner } = test.database
  for (const name of ['one.txt', 'two.txt', 'three.txt']) await writeFile(join(folder, name), name)
  await seedBucket({ owner, files: full.files }, { bucket: 'site', folder })
  await owner.query(`insert into storage.objects (bucket_id, name) values ('site', 'never uploaded.txt')`)

  expect(await countMissingFiles({ owner, files: full.files })).toBe(0)
  expect(await countMissingFiles({ owner, files: empty.files })).toBe(3)
  const [key = ''] = await Array.fromAsync(full.files.keys('objects'))
  await full.files.remove(key)
  expect(await countMissingFiles({ owner, files: full.files })).toBe(1)
})
