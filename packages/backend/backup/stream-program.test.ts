import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { storeOutput } from './stream-program.ts'

it('fails with the reason when a program does not start, without ending the process', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stream-program-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const onUnhandled = vi.fn()
  process.on('unhandledRejection', onUnhandled)
  onTestFinished(() => void process.off('unhandledRejection', onUnhandled))
  const program = { command: join(folder, 'pg_dump'), args: [] }

  await expect(storeOutput(program, 'database.dump', { folder, encryption: null })).rejects.toThrow('ENOENT')

  expect(onUnhandled).not.toHaveBeenCalled()
  expect(await readdir(folder)).not.toContainEqual(expect.stringMatching(/unfinished$/))
})
