import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { readCrashes } from '@saltfreak/backend'
import { freePort } from '@saltfreak/backend/testing'
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

test('a running server locks its data folder, restarts PostgreSQL and completes requests before it stops', async () => {
  const shop = await startShop({ STOP_DELAY: '3' })
  expect(shop.admin).not.toBeNull()
  expect(shop.output()).toContain(join(shop.dataDir, 'first-admin.txt'))
  expect(shop.output()).not.toContain(shop.admin?.password)

  await test.step('the keys command prints keys, and a second server on the data folder is refused', async () => {
    const keys = await shop.keys()
    const second = await startShop({ DATA_DIR: shop.dataDir }).catch((error: Error) => error.message)

    expect(keys.publishable).toMatch(/^sb_publishable_/)
    expect(keys.secret).toMatch(/^sb_secret_/)
    expect(second).toContain(`the data folder is in use by another process (${shop.process.pid})`)
  })
  await test.step('the server restarts PostgreSQL when PostgreSQL is killed', async () => {
    await killPostgres(shop.dataDir)

    // Its remaining children may answer for a moment.
    await expect.poll(() => shop.output(), { timeout: 20_000 }).toContain('PostgreSQL is running again')
    await expect.poll(() => readiness(shop)).toBe(200)
    expect(shop.process.exitCode).toBeNull()
  })
  await test.step('a server that gets the stop signal is no longer ready, but answers until its port closes, and exits', async () => {
    const { publishable } = await shop.keys()
    const socket = new WebSocket(
      `${shop.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=${publishable}&vsn=1.0.0`,
    )
    await once(socket, 'open')
    const closed: Promise<CloseEvent[]> = once(socket, 'close')
    const page = fetch(`${shop.url}/products`)
    await fetch(`${shop.url}/healthz`)

    const stopped = shop.stop()
    await expect.poll(() => readiness(shop), { intervals: [20] }).toBe(503)
    const late = await fetch(`${shop.url}/products?q=popper`)
    const [code, answer] = await Promise.all([stopped, page])

    expect([answer.status, late.status, late.headers.get('connection')]).toEqual([200, 200, 'close'])
    // "Service restart": clients reconnect.
    expect((await closed)[0]?.code).toBe(1012)
    // It ended within its own limit: after that, the code would be 1.
    expect(code).toBe(0)
  })
})

test(
  'a killed server starts again, with a PostgreSQL that still runs or was killed too',
  { tag: '@long' },
  async () => {
    const PORT = String(await freePort())
    const first = await startShop({ PORT })
    const signedUp = await (await clientOf(first)).auth.signUp(thandi)
    expect(signedUp.error).toBeNull()
    const dataDir = { DATA_DIR: first.dataDir, PORT }

    await kill(first)
    const second = await startShop(dataDir)
    expect(await readiness(second)).toBe(200)

    await killPostgres(first.dataDir)
    await kill(second)
    const third = await startShop(dataDir)
    expect(third.admin).toEqual(first.admin)
    const signedIn = await (await clientOf(third)).auth.signInWithPassword(thandi)
    expect(signedIn.error).toBeNull()
    await third.stop()
    const fourth = await startShop(dataDir)
    await fourth.stop()
    // The shop was killed twice, and stopped twice. PostgreSQL's end was seen if the shop that ran it lived on for a moment.
    const crashes = (await readCrashes(first.dataDir)).map(({ program }) => program)
    expect(crashes.filter((program) => program !== 'PostgreSQL')).toEqual([`shop-${PORT}`, `shop-${PORT}`])
    await rm(first.dataDir, { recursive: true })
  },
)

async function kill(shop: RunningShop): Promise<void> {
  shop.process.kill('SIGKILL')
  await once(shop.process, 'exit')
}

/** Null while the port is closed. */
async function readiness({ url }: RunningShop): Promise<number | null> {
  const response = await fetch(`${url}/readyz`).catch(() => null)
  return response?.status ?? null
}
