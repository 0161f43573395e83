import { mkdtemp, open, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'

import { diskFiles } from './disk-files.ts'

async function aFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'files-')))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** Returns a function that tells which of some folders have been synchronised with the disk since its last call. */
async function watchSyncs(folder: string) {
  const handle = await open(folder)
  const synced = new Set<number>()
  const spy = vi.spyOn(Object.getPrototypeOf(handle), 'sync')
  await handle.close()
  onTestFinished(() => spy.mockRestore())
  spy.mockImplementation(async function sync(this: typeof handle) {
    synced.add((await this.stat()).ino)
  })
  return async (...folders: string[]) => {
    const inodes = await Promise.all(folders.map(async (each) => (await stat(each)).ino))
    const found = folders.filter((_, at) => synced.has(inodes[at] ?? 0))
    synced.clear()
    return found
  }
}

it('writes the name of a stored file and of its new folders to the disk before it returns', async () => {
  const folder = join(await aFolder(), 'data')
  const files = diskFiles(folder)
  const [objects, ab] = [join(folder, 'objects'), join(folder, 'objects/ab')]
  await files.write('objects/cd/first', Buffer.from('kob'))
  const syncedOf = await watchSyncs(folder)

  await files.write('objects/ab/second', Buffer.from('kob'))
  expect(await syncedOf(folder, objects, ab)).toEqual([objects, ab])

  await files.write('objects/ab/third', Buffer.from('kob'))
  expect(await syncedOf(folder, objects, ab)).toEqual([ab])
})
