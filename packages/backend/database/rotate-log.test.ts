import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { rotateLog } from './rotate-log.ts'

it('keeps a log and its predecessor below the limit while a program appends to it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'log-'))
  const path = join(folder, 'postgres.log')
  const program = await open(path, 'a')
  await program.write('first\n')
  await rotateLog(path, 10)
  expect(await readFile(path, 'utf8')).toBe('first\n')

  await program.write('second\n')
  await rotateLog(path, 10)
  await program.write('third\n')

  expect(await readFile(path, 'utf8')).toBe('third\n')
  expect(await readFile(`${path}.1`, 'utf8')).toBe('first\nsecond\n')
  await program.close()
  await rm(folder, { recursive: true })
})
