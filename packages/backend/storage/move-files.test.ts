import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

import { bareDatabase, type TestDatabase } from '#backend/testing/database.ts'
import { openTestFiles, type TestFiles } from '#backend/testing/files.ts'
import { filesOf } from './files/open-files.ts'
import type { FileStore } from './files/file-store.ts'
import { moveFiles, type MovedFiles } from './move-files.ts'
import { seedBucket } from './seed-bucket.ts'

const COUNT = 10

let test: TestDatabase
let folder: string
let disk: FileStore
let target: TestFiles
beforeEach(async () => {
  test = await bareDatabase()
  folder = await mkdtemp(join(tmpdir(), 'move-'))
  disk = filesOf(join(folder, 'data'))
  for (let number = 0; number < COUNT; number += 1)
    await writeFile(join(folder, `${number}.txt`), `a file ${number}`)
  await seedBucket({ owner: test.database.owner, files: disk }, { bucket: 'site', folder })
  target = await openTestFiles()
})
afterEach(async () => {
  await test.close()
  await target.close()
  await rm(folder, { recursive: true })
})

const move = (to: FileStore = target.files, from = disk): Promise<MovedFiles> =>
  moveFiles({ owner: test.database.owner, from, to, journal: join(folder, 'moved') })

async function someKey(): Promise<string> {
  for await (const key of disk.keys('objects')) return key
  throw new Error('no file')
}

/** Returns the content of every file. */
async function contentOf(files: FileStore): Promise<Map<string, string>> {
  const keys = (await Array.fromAsync(files.keys('objects'))).toSorted()
  return new Map(
    await Promise.all(
      keys.map(async (key) => [key, await new Response(await files.read(key)).text()] as const),
    ),
  )
}

it('moves every file of the database to another store, and back into an empty folder', async () => {
  const back = filesOf(join(folder, 'back'))

  expect(await move()).toEqual({ copied: COUNT, present: 0, problems: [] })
  expect(await contentOf(target.files)).toEqual(await contentOf(disk))
  await rm(join(folder, 'moved'))
  expect(await move(back, target.files)).toEqual({ copied: COUNT, present: 0, problems: [] })
  expect(await contentOf(back)).toEqual(await contentOf(disk))
})

it('goes on where an interrupted move of files stopped', async () => {
  let writes = 0
  const interrupted: FileStore = {
    ...target.files,
    async write(key, content) {
      writes += 1
      if (writes > 5) throw new Error('killed')
      await target.files.write(key, content)
    },
  }
  await expect(move(interrupted)).rejects.toThrow('killed')

  const { copied, present, problems } = await move()

  expect(copied).toBeLessThan(COUNT)
  expect({ all: copied + present, problems }).toEqual({ all: COUNT, problems: [] })
  expect(await contentOf(target.files)).toEqual(await contentOf(disk))
})

it('copies a file again whose copy has the right size and other bytes', async () => {
  const key = await someKey()
  await target.files.write(key, Buffer.from('b file 0'))

  expect(await move()).toEqual({ copied: COUNT, present: 0, problems: [] })
  expect(await contentOf(target.files)).toEqual(await contentOf(disk))
})

it('names the damaged and the missing files of a move, and copies the others', async () => {
  const [damaged = '', missing = ''] = await Array.fromAsync(disk.keys('objects'))
  await disk.write(damaged, Buffer.from('b file 0'))
  await disk.remove(missing)

  const { copied, problems } = await move()

  expect(copied).toBe(COUNT - 2)
  expect(problems.toSorted()).toEqual([
    expect.stringMatching(
      /^site\/\d\.txt is (damaged in the source: restore it from a backup|in neither place)$/,
    ),
    expect.stringMatching(
      /^site\/\d\.txt is (damaged in the source: restore it from a backup|in neither place)$/,
    ),
  ])
  expect((await contentOf(target.files)).has(damaged)).toBe(false)
})
