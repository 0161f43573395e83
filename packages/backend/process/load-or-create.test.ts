import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loadOrCreate } from './load-or-create.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'load-or-create-'))
})
afterEach(() => rm(folder, { recursive: true }))

it('writes a file for this user once, and returns the same content to all who ask at once', async () => {
  const path = join(folder, 'secret')

  const loaded = await Promise.all(['one', 'two', 'three'].map((content) => loadOrCreate(path, content)))

  expect(new Set(loaded.map(String)).size).toBe(1)
  expect(await loadOrCreate(path, 'four')).toEqual(loaded[0])
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['secret'])
})

it('replaces an empty file, which a full disk or a power cut has left', async () => {
  const path = join(folder, 'secret')
  await writeFile(path, '')

  expect(String(await loadOrCreate(path, 'secret'))).toBe('secret')
})
