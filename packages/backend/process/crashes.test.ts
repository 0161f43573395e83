import { appendFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CRASH_FILE, markRunning, noteCrash, readCrashes } from './crashes.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'crashes-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const programs = async () => (await readCrashes(folder)).map(({ program }) => program)

it('notes a crash when the run before was not ended, and none after a stop', async () => {
  const endRun = await markRunning(folder, 'shop-3001')
  expect(await programs()).toEqual([])
  await endRun()
  await markRunning(folder, 'shop-3001')
  expect(await programs()).toEqual([])

  await markRunning(folder, 'shop-3001')
  await markRunning(folder, 'shop-3002')

  expect(await programs()).toEqual(['shop-3001'])
})

it('forgets crashes after a day, and keeps their file short', async () => {
  const dayAgo = new Date(Date.now() - 25 * 3_600_000)
  await appendFile(join(folder, CRASH_FILE), `${dayAgo.toISOString()} shop-3001\nhalf a li`)
  await noteCrash(folder, 'PostgreSQL')

  expect(await programs()).toEqual(['PostgreSQL'])

  await markRunning(folder, 'shop-3001')
  expect(await programs()).toEqual(['PostgreSQL'])
})

it('does not fail when the folder cannot be written', async () => {
  const missing = join(folder, 'missing')

  await noteCrash(missing, 'PostgreSQL')
  const endRun = await markRunning(missing, 'shop-3001')
  await endRun()

  expect(await readCrashes(missing)).toEqual([])
  expect(await readdir(folder)).toEqual([])
})
