import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { createClient, REALTIME_SUBSCRIBE_STATES } from '@supabase/supabase-js'
import type { ShopDatabase } from '#database'
import { askForReceivedRequest } from '#server/doctor/received-request.ts'
import { fakePayfast } from '#test/fake-payfast.ts'
import { aLargePhoto } from '#test/gallery-photo.ts'
import { shopRelease } from '#test/installed-shop.ts'
import { requireProxy, httpStatusOf, withShop } from './shop-behind-proxy.ts'
import { type Acknowledged, checkOut, fillShelves, settingsFor, signUp } from './checkout.ts'

const project = resolve(import.meta.dirname, '../..')
const UPLOAD_BYTES = 5_000_000

for (const name of ['nginx', 'caddy'] as const) {
  test(
    `${name}, as configured in deploy/, passes large uploads, sockets, addresses and files`,
    { tag: '@long' },
    async () => {
      requireProxy(name)
      await withShop({ proxy: name }, async ({ url, keys, installed }) => {
        const { publishable, secret } = await keys()

        await test.step('an upload of 5 MB arrives whole', async () => {
          const photo = await aLargePhoto({ width: 2600, height: 2550 })
          expect(photo.byteLength).toBeGreaterThan(UPLOAD_BYTES)
          const staff = createClient<ShopDatabase>(url, secret)
          const { data, error } = await staff.storage
            .from('catalogue')
            .upload(`${crypto.randomUUID()}.jpg`, photo, { contentType: 'image/jpeg' })
          expect(error).toBeNull()
          const stored = await staff.storage.from('catalogue').download(data?.path ?? '')
          expect(stored.data?.size).toBeGreaterThan(UPLOAD_BYTES)
        })
        await test.step('a socket opens', async () => {
          const visitor = createClient<ShopDatabase>(url, publishable)
          const opened = new Promise((settle) => {
            visitor
              .channel('proxy')
              .on('postgres_changes', { event: '*', schema: 'public', table: 'products' }, () => undefined)
              .subscribe((status) => {
                if (status !== REALTIME_SUBSCRIBE_STATES.CLOSED) settle(status)
              })
          })
          expect(await opened).toBe(REALTIME_SUBSCRIBE_STATES.SUBSCRIBED)
          await visitor.removeAllChannels()
        })
        await test.step('the shop sees the address of its client, not one that the client invented', async () => {
          const received = await askForReceivedRequest(
            { publicUrl: url, dataDir: installed.dataDir },
            '192.0.2.1',
          )
          expect(received?.forwardedFor).toMatch(/(^|, )(127\.0\.0\.1|::1)$/)
          expect(received?.address).toMatch(/^(127\.0\.0\.1|::1)$/)
        })
        await test.step('files with a hash in their name come from the disk, compressed and for ever', async () => {
          const assets = await readdir(join(project, 'build/client/assets'))
          const script = assets.find((each) => each.endsWith('.js') && assets.includes(`${each}.gz`))
          const file = await fetch(`${url}/assets/${script}`, { headers: { 'Accept-Encoding': 'gzip' } })
          expect(file.headers.get('Content-Encoding')).toBe('gzip')
          expect(file.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
          expect((await file.text()).length).toBeGreaterThan(100)
          expect(await httpStatusOf(`${url}/assets/none.js`)).toBe(404)
          expect(await httpStatusOf(`${url}/assets/../../../shop.env`)).toBe(404)
        })
        await test.step('every response names its request once, also those of the proxy itself', async () => {
          const [asset] = await readdir(join(project, 'build/client/assets'))
          for (const path of ['/readyz', '/', `/assets/${asset}`, '/assets/none.js']) {
            // oxlint-disable-next-line no-await-in-loop -- one after the other
            const { headers } = await fetch(`${url}${path}`)
            expect(headers.get('X-Request-Id'), path).toMatch(/^[\w-]{32,36}$/)
          }
        })
        await test.step('the shop listens for the proxy only', async () => {
          expect(await installed.log(`saltfreak@${installed.ports[0]}`)).toContain(`is open at ${url}`)
          expect(await httpStatusOf(`http://127.0.0.1:${installed.ports[0]}/healthz`)).toBe(200)
          expect(await httpStatusOf(`http://127.0.0.2:${installed.ports[0]}/healthz`)).toBeNull()
        })
      })
    },
  )
}

const BUYERS = 6

test(
  'two updates and a rollback during purchases through nginx fail no request',
  { tag: '@long' },
  async () => {
    requireProxy('nginx')
    test.setTimeout(300_000)
    const payfast = await fakePayfast()
    await withShop({ proxy: 'nginx', settings: settingsFor(payfast) }, async (shop) => {
      const { installed } = shop
      // Without it, the old version would stop while the proxy hands it the last requests.
      installed.environment.SALTFREAK_DRAIN_SECONDS = '1'
      const acknowledged: Acknowledged = { orders: [], paid: [] }
      const failures: unknown[] = []
      let requests = 0
      /** Counts everything that is no answer, or an answer of a broken shop. */
      const send: typeof fetch = async (...asked) => {
        requests += 1
        const answer = await fetch(...asked)
        if (answer.status >= 500) failures.push(`${answer.status} ${answer.url}`)
        return answer
      }
      await fillShelves(shop)
      const buyers = await Promise.all(Array.from({ length: BUYERS }, () => signUp(shop, send)))

      const closing = new AbortController()
      const shopping = buyers.map(async (buyer) => {
        for (let turn = 0; !closing.signal.aborted; turn += 1) {
          // The shelves must last.
          const poppers = 1 + (turn % 12)
          // oxlint-disable no-await-in-loop -- one purchase after the other
          await checkOut(buyer, { poppers, acknowledged, shop, payfast }).catch((error: unknown) =>
            failures.push(error),
          )
          const page = await send(`${shop.url}/products`).catch((error: unknown) => failures.push(error))
          if (page instanceof Response) await page.text()
          // oxlint-enable no-await-in-loop
        }
      })
      const steps: { output: string; orders: number }[] = []
      const step = async (work: Promise<{ output: string }>) => {
        steps.push({ output: (await work).output, orders: acknowledged.orders.length })
        await pause(1000)
      }
      await pause(2000)
      await step(installed.deploy('update', await installed.archive('1.1.0', shopRelease)))
      await step(installed.deploy('update', await installed.archive('1.2.0', shopRelease)))
      await step(installed.deploy('rollback'))
      closing.abort()
      await Promise.all(shopping)

      console.log(
        `${requests} requests, ${acknowledged.paid.length} paid orders, ${failures.length} failures`,
      )
      expect(failures).toEqual([])
      expect(steps.map(({ output }) => output.split('\n')[0])).toEqual([
        'version 1.1.0 serves',
        'version 1.2.0 serves',
        'version 1.1.0 serves',
      ])
      expect(acknowledged.paid.length).toBe(acknowledged.orders.length)
      // People bought between all the steps.
      expect(new Set(steps.map(({ orders }) => orders)).size).toBe(3)
    })
    await payfast.close()
  },
)
