import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { isRestoredCopy, makeLive } from './restored-copy.ts'
import { backedUpShop } from './testing/backed-up-shop.ts'

const shop = backedUpShop()

it('marks a restored folder as a copy until it is made live', async () => {
  await shop.makeBackup()
  const into = join(shop.root, 'restored')
  await shop.restore({ into })

  expect(await isRestoredCopy(into)).toBe(true)
  expect(await makeLive(into)).toBe(true)
  expect(await isRestoredCopy(into)).toBe(false)
  expect(await makeLive(into)).toBe(false)
})

it('marks a restored folder as a copy before it holds a database', async () => {
  await shop.makeBackup()
  const into = join(shop.root, 'restored')
  const restoring = shop.restore({ into })

  while (!existsSync(join(into, 'postgres'))) await pause(1)

  expect(await isRestoredCopy(into)).toBe(true)
  await restoring
})
