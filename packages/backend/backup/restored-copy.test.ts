import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { DatabaseProblem } from '#backend/database/database-problem.ts'
import { COPY_MARK, isRestoredCopy, makeLive } from './restored-copy.ts'
import { backedUpShop } from './testing/backed-up-shop.ts'

const shop = backedUpShop()

it('marks a folder as a copy before it holds a database, refuses it until its restore is complete, and unmarks it once it is made live', async () => {
  await shop.makeBackup()
  const into = join(shop.root, 'restored')
  const restoring = shop.restore({ into })
  while (!existsSync(join(into, 'postgres'))) await pause(1)

  // As a killed restore leaves it.
  expect(existsSync(join(into, COPY_MARK))).toBe(true)
  const incomplete = new DatabaseProblem(
    `${join(into, 'restoring')} says that a restore into this folder is running or was killed: wait for its end, or restore into another folder`,
  )
  await expect(isRestoredCopy(into)).rejects.toThrow(incomplete)
  await expect(makeLive(into)).rejects.toThrow(incomplete)
  expect(existsSync(join(into, COPY_MARK))).toBe(true)

  await restoring
  expect(await isRestoredCopy(into)).toBe(true)
  expect(await makeLive(into)).toBe(true)
  expect(await isRestoredCopy(into)).toBe(false)
  expect(await makeLive(into)).toBe(false)
})
