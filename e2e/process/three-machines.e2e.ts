import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import {
  countFor,
  freePort,
  postgresUrl,
  startPostgres,
  startSwift,
  whyWithoutS3Server,
} from '@saltfreak/backend/testing'
import { fakePayfast } from '#test/fake-payfast.ts'
import { startMailServer } from '#test/mail-server.ts'
import { type RunningShop, startShop } from '#test/running-shop.ts'
import { startBalancer } from '#test/shop-proxy.ts'
import { fillShelves, settingsFor, signUp } from './checkout.ts'
import { expectEachOnce, trade } from './purchases.ts'
import { requireProxy } from './shop-behind-proxy.ts'

const MACHINES = 3
const KILLS = countFor('MACHINE_KILLS', { gate: 3, long: 9 })
const BUYERS = 6
/** Between a lost machine and its return. */
const AWAY_MS = 2000
/** The shop limits a buyer's orders in an hour. */
const PAUSE_MS = 1000

test(
  `${MACHINES} machines that share a database and a bucket, one of which is lost every few seconds, lose and repeat no purchase, and fail no page or picture`,
  { tag: '@long' },
  async ({ browser }) => {
    requireProxy('nginx')
    test.skip(whyWithoutS3Server() !== null, whyWithoutS3Server() ?? '')
    test.setTimeout(180_000 + KILLS * 30_000)
    const folder = await mkdtemp(join(tmpdir(), 'machines-'))
    const [payfast, mails, files, port] = await Promise.all([
      fakePayfast(),
      startMailServer(),
      startSwift(),
      freePort(),
    ])
    const postgres = await startPostgres(join(folder, 'database'), {
      durable: false,
      settings: { max_connections: '200' },
    })
    const databaseUrl = postgresUrl(postgres, 'supabase_admin')
    const s3 = await files.createS3Bucket()
    const env = {
      ...settingsFor(payfast),
      DATABASE_URL: databaseUrl,
      S3_BUCKET: s3.bucket,
      S3_ENDPOINT: s3.endpoint ?? '',
      AWS_ACCESS_KEY_ID: s3.accessKeyId,
      AWS_SECRET_ACCESS_KEY: s3.secretAccessKey,
      SMTP_URL: mails.url,
      PUBLIC_URL: `http://localhost:${port}`,
      TRUST_PROXY: 'true',
      LOG_LEVEL: 'warn',
    }
    const machines: { settings: Record<string, string>; shop: RunningShop }[] = []
    for (let number = 0; number < MACHINES; number += 1) {
      // oxlint-disable no-await-in-loop -- each takes a port
      const settings = { ...env, PORT: String(await freePort()), DATA_DIR: join(folder, String(number)) }
      machines.push({ settings, shop: await startShop(settings) })
      // oxlint-enable no-await-in-loop
    }
    const balancer = await startBalancer(
      machines.map(({ settings }) => [Number(settings.PORT)]),
      port,
    )
    const shop = { url: env.PUBLIC_URL, keys: async () => keys }
    const keys = await (machines[0]?.shop.keys() ?? Promise.reject(new Error('no machine')))
    await fillShelves(shop)
    const pictures = await picturesOf(shop.url)
    expect(pictures.length).toBeGreaterThan(5)
    const buyers = await Promise.all(Array.from({ length: BUYERS }, () => signUp(shop)))

    const { done, pages, end } = trade({ shop, payfast, browser, buyers, pauseMs: PAUSE_MS })
    const shown: number[] = []
    for (let kills = 0; kills < KILLS; kills += 1) {
      // oxlint-disable no-await-in-loop -- one loss after the other
      const machine = machines[kills % MACHINES]
      if (!machine) continue
      const lost = once(machine.shop.process, 'exit')
      machine.shop.process.kill('SIGKILL')
      await lost
      shown.push(...(await statusesOf(pictures)))
      await pause(AWAY_MS)
      machine.shop = await startShop(machine.settings)
      // oxlint-enable no-await-in-loop
    }
    await end()

    await expectEachOnce(done, {
      databaseUrl,
      kills: KILLS,
      receivedIds: async () => (await mails.received()).map(({ messageId }) => messageId),
    })
    expect([...pages.keys()]).toEqual([200])
    expect(shown).toEqual(shown.map(() => 200))
    console.log(
      `${done.paid.length} purchases, ${KILLS} lost machines, ${done.repeated} calls repeated, ${pages.get(200)} pages, ${shown.length} pictures`,
    )

    await balancer.close()
    await Promise.all(machines.map((machine) => machine.shop.stop()))
    await Promise.all([payfast.close(), mails.close(), files.stop(), postgres.stop()])
    await rm(folder, { recursive: true, force: true })
  },
)

/** Returns the addresses of the resized pictures on the home page. */
async function picturesOf(url: string): Promise<string[]> {
  const page = await (await fetch(url)).text()
  const paths = page.match(/\/storage\/v1\/render\/[^" ,]+/g) ?? []
  return [...new Set(paths)].slice(0, 20).map((path) => url + path.replaceAll('&amp;', '&'))
}

async function statusesOf(addresses: string[]): Promise<number[]> {
  return Promise.all(
    addresses.map(async (address) => {
      const { status, body } = await fetch(address)
      await body?.cancel()
      return status
    }),
  )
}
