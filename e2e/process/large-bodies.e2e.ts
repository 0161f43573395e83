import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { expect, test } from '@playwright/test'
import { findRunningPostgres, postgresUrl } from '@saltfreak/backend/testing'
import { Client } from 'pg'
import { fakePayfast } from '#test/fake-payfast.ts'
import { type RunningShop, startShop } from '#test/running-shop.ts'
import { popper } from '#test/shopping.ts'
import { fillShelves, noticeFor, placeOrder, postNotice, settingsFor, signUp } from './checkout.ts'

const CALLS = Number(process.env.LARGE_BODIES ?? 1000)
const BODY_BYTES = 770_000
/** The bodies that the shop holds, with their copies on the way to PostgreSQL, and what V8 has not freed yet. */
const GROWTH_AT_MOST_MB = 250

async function memoryOf({ process: shop }: RunningShop): Promise<number> {
  const status = await readFile(`/proc/${shop.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

/** Returns the most memory that the shop used, in MB, until `stop` is called. */
function watchMemory(shop: RunningShop): { stop(): Promise<number> } {
  let most = 0
  const watch = async () => void (most = Math.max(most, await memoryOf(shop)))
  const watching = setInterval(() => void watch(), 50)
  return {
    async stop() {
      clearInterval(watching)
      await watch()
      return most
    },
  }
}

/** Lets additions to carts wait until `release` is called. */
async function holdCarts(dataDir: string): Promise<{ release(): Promise<void> }> {
  const postgres = await findRunningPostgres(dataDir)
  const client = new Client({ connectionString: postgres ? postgresUrl(postgres, 'supabase_admin') : '' })
  await client.connect()
  await client.query('begin; lock table public.cart_items in share mode')
  return { release: () => client.end() }
}

test(
  'hundreds of large bodies take a bounded amount of memory, and a payment notice is accepted meanwhile',
  { tag: '@long' },
  async () => {
    test.setTimeout(180_000)
    const payfast = await fakePayfast()
    // Each call comes from another network: of one, the shop holds a few only.
    const shop = await startShop({ ...settingsFor(payfast), TRUST_PROXY: 'true', HOST: '127.0.0.1' })
    try {
      await fillShelves(shop)
      const buyer = await signUp(shop)
      const notice = await noticeFor(buyer, await placeOrder(buyer, 1), payfast)
      // The secret key is not limited to a few calls at once, and neither are many accounts together.
      const { secret: apikey } = await shop.keys()
      const line = JSON.stringify({ user_id: buyer.userId, ...popper })
      const body = line.padEnd(BODY_BYTES, ' ')
      const before = await memoryOf(shop)
      const memory = watchMemory(shop)
      const carts = await holdCarts(shop.dataDir)

      const statuses: (number | undefined)[] = []
      const calls = Array.from({ length: CALLS }, async (_, number) => {
        const sending = request(`${shop.url}/rest/v1/cart_items`, {
          method: 'POST',
          agent: false,
          headers: {
            apikey,
            'content-type': 'application/json',
            'content-length': body.length,
            'x-forwarded-for': `10.${number >> 8}.${number & 255}.1`,
          },
        })
        sending.end(body)
        const [response] = await once(sending, 'response')
        response.resume()
        statuses.push(response.statusCode)
      })
      const refused = () => statuses.filter((status) => status === 503).length
      await expect.poll(refused, { timeout: 60_000 }).toBeGreaterThan(CALLS / 2)

      expect(await postNotice(shop, notice)).toBe(200)

      await carts.release()
      await Promise.all(calls)
      expect((await memory.stop()) - before).toBeLessThan(GROWTH_AT_MOST_MB)
      expect(statuses.filter((status) => status !== 503).length).toBeGreaterThan(0)
      expect((await placeOrder(await signUp(shop), 1)).id).toBeTruthy()
    } finally {
      await shop.stop()
      await payfast.close()
    }
  },
)
