import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFile, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { createClient } from '@supabase/supabase-js'
import type { ShopDatabase } from '#database'
import { killPostgres, type RunningShop, startShop } from '#test/running-shop.ts'
import { fillShelves, signUp } from './checkout.ts'

const MEBIBYTE = 1024 * 1024
const DISK_MEBIBYTES = 320

let folder: string
let shop: RunningShop

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-disk-'))
  await rm(folder, { recursive: true })
})

/** Mounts a small disk in memory; false where this user may not. */
function mountDisk(): boolean {
  try {
    execFileSync('mkdir', [folder])
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEBIBYTES}m,mode=711`, 'tmpfs', folder], {
      stdio: 'ignore',
    })
    return true
  } catch {
    return false
  }
}

async function freeBytes(): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** Leaves so many bytes free; 0 also takes what the shop frees in the meantime. */
async function fillDisk(leaving: number): Promise<void> {
  const ballast = join(folder, 'ballast')
  for (;;) {
    const excess = (await freeBytes()) - leaving
    if (excess <= 0) return
    const bytes = Math.min(excess, 8 * MEBIBYTE)
    const isFull = await appendFile(ballast, Buffer.alloc(bytes)).then(
      () => false,
      () => true,
    )
    if (isFull) return
  }
}

/** Text that PostgreSQL cannot compress. */
function messages() {
  return Array.from({ length: 200 }, () => ({
    name: 'Thandi',
    email: 'thandi@example.com',
    subject: 'A long message',
    message: randomBytes(1400).toString('base64'),
  }))
}

/** Repeats a write until it fails. */
async function untilRefused<R extends { error: unknown }>(write: () => Promise<R>): Promise<R> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one write after the other
    const result = await write()
    if (result.error) return result
  }
}

const readiness = () =>
  fetch(`${shop.url}/readyz`).then(
    ({ status }) => status,
    () => null,
  )
const linesAbout = (words: string) => shop.output().split(words).length - 1
const html = { headers: { accept: 'text/html' } }

test('a shop on a full disk refuses in plain words, shows stored pages, and is ready within 30 seconds after space is freed', async () => {
  test.setTimeout(180_000)
  const isMounted = mountDisk()
  if (!isMounted && process.env.TEST_RUN === 'long')
    throw new Error('the long run must be allowed to mount a disk')
  test.skip(!isMounted, 'this user may not mount a disk')

  try {
    shop = await startShop({ DATA_DIR: join(folder, 'data') })
    await fillShelves(shop)
    const buyer = await signUp(shop)
    const staff = createClient<ShopDatabase>(shop.url, (await shop.keys()).secret, {
      auth: { persistSession: false },
    })
    await expect.poll(async () => (await fetch(`${shop.url}/products`)).status).toBe(200)

    await test.step('orders go on while the disk is nearly full, and uploads are refused', async () => {
      await fillDisk(24 * MEBIBYTE)
      const { error } = await staff.storage
        .from('site')
        .upload('hero/new.png', new Blob(['x'], { type: 'image/png' }))
      expect(error).toMatchObject({
        status: 507,
        message: 'We can’t store more files right now. Please try again later.',
      })
      expect((await buyer.client.from('cart_items').select()).error).toBeNull()
    })
    await test.step('nothing but a sentence reaches the reader once the disk is full', async () => {
      await fillDisk(0)
      const refused = await untilRefused(async () => staff.from('contact_submissions').insert(messages()))
      expect(refused.status).toBe(503)
      expect(refused.error?.message).toMatch(/^We can’t .* Please try again/)
    })
    await test.step('stored pages are shown while PostgreSQL cannot start, and everything else is refused politely', async () => {
      // PostgreSQL frees some space when it ends, and sometimes starts again.
      const killAndFill = async () => {
        await killPostgres(shop.dataDir).catch(() => undefined)
        await fillDisk(0)
        return shop.output()
      }
      await expect.poll(killAndFill, { intervals: [50] }).toContain('PostgreSQL does not start')

      const stored = await fetch(`${shop.url}/products`, html)
      expect([stored.status, stored.headers.get('cache-status')]).toEqual([
        200,
        expect.stringContaining('ttl=-1'),
      ])
      const search = await fetch(`${shop.url}/products?q=popper`, html)
      expect([search.status, search.headers.get('retry-after')]).toEqual([503, '10'])
      expect(await search.text()).toContain('Nothing in your cart is lost.')
      const call = await fetch(`${shop.url}/rest/v1/products`, {
        headers: { apikey: (await shop.keys()).publishable },
      })
      expect([call.status, call.headers.get('retry-after')]).toEqual([503, '10'])
      expect(await call.json()).toMatchObject({
        message: expect.stringMatching(/^We can’t reach our database/),
      })
      expect(await readiness()).toBe(503)
      expect(linesAbout('The database does not answer')).toBe(1)
    })
    await test.step('the shop is ready within 30 seconds after space is freed', async () => {
      await rm(join(folder, 'ballast'))
      await expect.poll(readiness, { timeout: 30_000, intervals: [200] }).toBe(200)
      expect((await buyer.client.from('cart_items').select()).error).toBeNull()
      expect((await fetch(`${shop.url}/products?q=popper`, html)).status).toBe(200)
    })
  } finally {
    await shop?.stop()
    execFileSync('umount', ['-l', folder])
    await rm(folder, { recursive: true })
  }
})
