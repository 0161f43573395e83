import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { filesOf } from '@saltfreak/backend'
import { loadClientKeys } from '@saltfreak/backend/testing'
import { shopDatabase } from '#test/database.ts'
import { createShop } from './app.ts'
import { parseSettings } from './settings.ts'

it('refuses a form of more than 64 KiB on every page', async () => {
  const { database, close } = await shopDatabase()
  const closing = new AbortController()
  onTestFinished(async () => {
    closing.abort()
    await close()
  })
  const shop = createShop(
    {
      settings: parseSettings({}, '/nowhere'),
      database,
      keys: await loadClientKeys(database.owner),
      files: filesOf('/nowhere'),
      log: pino({ level: 'silent' }),
      closing: closing.signal,
    },
    '/nowhere',
  )

  const form = { method: 'POST', body: 'x'.repeat(64 * 1024 + 1) }
  const { status } = await shop.fetch(new Request('http://localhost:3000/contact', form))

  expect(status).toBe(413)
})
