import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { createClient } from '@supabase/supabase-js'
import type { ShopDatabase } from '#database'
import { killPostgres, type RunningShop, startShop } from '#test/running-shop.ts'

const thandi = { email: 'thandi@example.com', password: 'salt-water-42' }

async function clientOf(shop: RunningShop) {
  const { publishable } = await shop.keys()
  return createClient<ShopDatabase>(shop.url, publishable, {
    auth: { persistSession: false, autoRefreshToken: false },
  })
}

test('a server that gets the stop signal completes running requests within five seconds', async () => {
  const shop = await startShop()
  const page = fetch(`${shop.url}/products`)
  await fetch(`${shop.url}/healthz`)
  const start = performance.now()

  const [code, answer] = await Promise.all([shop.stop(), page])

  expect(answer.status).toBe(200)
  expect(code).toBe(0)
  expect(performance.now() - start).toBeLessThan(5000)
})

test('a server killed together with PostgreSQL starts again and keeps all customers', async () => {
  const first = await startShop()
  const signedUp = await (await clientOf(first)).auth.signUp(thandi)
  expect(signedUp.error).toBeNull()

  await killPostgres(first.dataDir)
  first.process.kill('SIGKILL')
  await once(first.process, 'exit')
  const second = await startShop({ DATA_DIR: first.dataDir })

  expect(second.admin).toBeNull()
  const signedIn = await (await clientOf(second)).auth.signInWithPassword(thandi)
  expect(signedIn.error).toBeNull()
  await second.stop()
  await rm(first.dataDir, { recursive: true })
})

test('a restarted server takes over the PostgreSQL that a killed server left running', async () => {
  const first = await startShop()

  first.process.kill('SIGKILL')
  await once(first.process, 'exit')
  const second = await startShop({ DATA_DIR: first.dataDir })

  expect((await fetch(`${second.url}/readyz`)).status).toBe(200)
  await second.stop()
  await rm(first.dataDir, { recursive: true })
})

test('the server restarts PostgreSQL when PostgreSQL is killed', async () => {
  const shop = await startShop()

  await killPostgres(shop.dataDir)

  const readiness = () => fetch(`${shop.url}/readyz`).then(({ status }) => status)
  await expect.poll(readiness, { timeout: 20_000 }).toBe(200)
  expect(shop.process.exitCode).toBeNull()
  await shop.stop()
})

test('the keys command prints the same keys whether the server runs or not', async () => {
  const shop = await startShop()
  const whileOpen = await shop.keys()
  const again = await startShop({ DATA_DIR: shop.dataDir }).catch((error: Error) => error.message)

  expect(whileOpen.publishable).toMatch(/^sb_publishable_/)
  expect(whileOpen.secret).toMatch(/^sb_secret_/)
  expect(again).toContain(`the data folder is in use by another process (${shop.process.pid})`)
  await shop.stop()
})
