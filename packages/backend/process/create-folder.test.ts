import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createFolder } from './create-folder.ts'

async function modeOf(folder: string): Promise<number> {
  return (await stat(folder)).mode & 0o777
}

it('creates a folder with those above it, and leaves what exists', async ({ onTestFinished }) => {
  const root = await mkdtemp(join(tmpdir(), 'create-folder-'))
  onTestFinished(() => rm(root, { recursive: true }))
  const path = join(root, 'a/b/c')

  await createFolder(path, 0o700)
  await createFolder(join(root, 'a'), 0o755)

  expect([await modeOf(path), await modeOf(join(root, 'a'))]).toEqual([0o700, 0o700])
  await writeFile(join(root, 'file'), '')
  await expect(createFolder(join(root, 'file'), 0o700)).rejects.toThrow('EEXIST')
  await expect(createFolder(join(root, 'file/below'), 0o700)).rejects.toThrow('ENOTDIR')
})

it('throws instead of trying forever when the system refuses to create a folder', async () => {
  await expect(createFolder('/proc/data/storage', 0o700)).rejects.toThrow('ENOENT')
})
