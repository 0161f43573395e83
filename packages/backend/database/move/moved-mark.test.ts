import { link, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { markMoved, requireNotMoved } from './moved-mark.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'moved-mark-'))
})
afterEach(() => rm(dataDir, { recursive: true }))

const place = () => ({ dataDir, databaseUrl: 'postgresql://shop@db.example/shop' })

it('writes the mark of a move beside that of an earlier one and then takes its place, so that a power cut leaves one whole', async () => {
  const [mark, earlier] = [join(dataDir, 'database-moved.txt'), join(dataDir, 'earlier')]
  await writeFile(mark, 'the embedded one\n')
  await link(mark, earlier)

  await markMoved(dataDir, place())

  expect(await readFile(earlier, 'utf8')).toBe('the embedded one\n')
  expect(await readFile(mark, 'utf8')).toBe('shop at db.example\n')
  expect(await readdir(dataDir)).toEqual(['database-moved.txt', 'earlier'])
  await expect(requireNotMoved({ dataDir, databaseUrl: null })).rejects.toThrow(
    'was moved to shop at db.example',
  )
})

it('lets every user read the mark of a move, which root may make for a shop of another user', async ({
  onTestFinished,
}) => {
  const umask = process.umask(0o077)
  onTestFinished(() => void process.umask(umask))

  await markMoved(dataDir, place())

  expect((await stat(join(dataDir, 'database-moved.txt'))).mode & 0o444).toBe(0o444)
})

it('refuses a database whose mark of a move cannot be read, instead of taking it for one that was not moved', async () => {
  await mkdir(join(dataDir, 'database-moved.txt'))

  await expect(requireNotMoved({ dataDir, databaseUrl: null })).rejects.toThrow('EISDIR')
})
