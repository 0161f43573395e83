import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { Pool } from 'pg'
import {
  findInstalledPostgres,
  type InstalledPostgres,
  onServer,
  startInstalledPostgres,
  startStandby,
} from '@saltfreak/backend/testing'
import { type FakePayfast, fakePayfast } from '#test/fake-payfast.ts'
import { findBrokenSums } from '#test/ledger/sums.ts'
import { startMailServer } from '#test/mail-server.ts'
import { type RunningShop, startShop } from '#test/running-shop.ts'
import { type Acknowledged, checkOut, fillShelves, settingsFor, signUp } from './checkout.ts'

const BUYERS = 4
/** Each buyer's purchases before and after the failover. */
const PURCHASES = 5
/** The heartbeat notices a closed connection at once; a promotion takes about a second. */
const RECOVERED_WITHIN_MS = 15_000

let payfast: FakePayfast
test.beforeAll(async () => {
  payfast = await fakePayfast()
})
test.afterAll(() => payfast.close())

/** Waits until each commit of the primary is on the standby as well. */
async function replicateSynchronously(primary: InstalledPostgres): Promise<void> {
  await onServer(primary.url, async (server) => {
    await server.query(`alter system set synchronous_standby_names = 'standby'`)
    await server.query('select pg_reload_conf()')
    const isSync = `select from pg_stat_replication where sync_state = 'sync'`
    await expect.poll(async () => (await server.query(isSync)).rowCount).toBe(1)
  })
}

/** `postgresql://u:p@first,second/db?target_session_attrs=read-write` */
function addressOfBoth(...servers: InstalledPostgres[]): string {
  const [first] = servers
  const hosts = servers.map(({ url }) => new URL(url).host).join()
  return `${first?.url.replace(/@[^/]+/, `@${hosts}`)}?target_session_attrs=read-write`
}

interface Statuses {
  errors: { at: number; status: number }[]
  lastErrorAt: number
}

/** Sends requests and notes those that were not answered, or not with success. */
function observed(): { send: typeof fetch; statuses: Statuses } {
  const statuses: Statuses = { errors: [], lastErrorAt: 0 }
  return {
    statuses,
    async send(...request) {
      const response = await fetch(...request)
      if (response.status >= 500) {
        statuses.lastErrorAt = performance.now()
        statuses.errors.push({ at: statuses.lastErrorAt, status: response.status })
      }
      return response
    },
  }
}

/** Lets buyers purchase until each has paid `PURCHASES` more orders; they repeat what failed. */
async function purchase(
  buyers: Awaited<ReturnType<typeof signUp>>[],
  options: { shop: RunningShop; acknowledged: Acknowledged; until: AbortSignal },
): Promise<void> {
  const { shop, acknowledged, until } = options
  await Promise.all(
    buyers.map(async (buyer) => {
      for (let done = 0; done < PURCHASES || !until.aborted; done += 1) {
        // oxlint-disable-next-line no-await-in-loop -- one checkout after the other
        await checkOut(buyer, { poppers: 1 + (done % 9), acknowledged, shop, payfast }).catch(() => pause(50))
      }
    }),
  )
}

async function missing(ledger: Pool, { orders, paid }: Acknowledged): Promise<unknown[]> {
  const { rows } = await ledger.query(
    `select said.id from jsonb_to_recordset($1) as said (id uuid, total numeric)
     left join public.orders o on o.id = said.id
     where o.id is null or o.total_amount <> said.total
     union all
     select paid.id from unnest($2::uuid[]) as paid (id)
     where not exists (select from public.orders o where o.id = paid.id and o.paid_at is not null)`,
    [JSON.stringify(orders), paid],
  )
  return rows
}

for (const processes of [1, 2]) {
  test(`purchases in ${processes} processes survive the loss of the primary database and the promotion of its standby @long`, async () => {
    test.setTimeout(180_000)
    const binaries = await findInstalledPostgres()
    expect(binaries, 'apt-get install postgresql-15').not.toBeNull()
    const mailServer = await startMailServer()
    const primary = await startInstalledPostgres(binaries ?? '', ['wal_level=replica'])
    const standby = await startStandby(binaries ?? '', primary.url)
    await replicateSynchronously(primary)
    // The standby comes first, so that the shop has to look for the primary.
    const shop = await startShop({
      ...settingsFor(payfast),
      DATABASE_URL: addressOfBoth(standby, primary),
      SMTP_URL: mailServer.url,
      LOG_LEVEL: 'warn',
      PROCESSES: String(processes),
    })
    const ledger = new Pool({ connectionString: standby.url, max: 2 })
    try {
      await fillShelves(shop)
      const { send, statuses } = observed()
      const buyers = await Promise.all(Array.from({ length: BUYERS }, () => signUp(shop, send)))
      const acknowledged: Acknowledged = { orders: [], paid: [] }
      const recovered = new AbortController()
      const buying = purchase(buyers, { shop, acknowledged, until: recovered.signal })
      await expect.poll(() => acknowledged.paid.length, { timeout: 60_000 }).toBeGreaterThan(BUYERS)

      await primary.kill()
      const before = acknowledged.paid.length
      await pause(1000)
      await onServer(standby.url, (server) => server.query('select pg_promote()'))
      const promotedAt = performance.now()
      await expect
        .poll(() => acknowledged.paid.length, { timeout: RECOVERED_WITHIN_MS, intervals: [50] })
        .toBeGreaterThan(before + BUYERS)
      const recoveredMs = performance.now() - promotedAt
      recovered.abort()
      await buying

      expect(statuses.errors.map(({ status }) => status).filter((status) => status !== 503)).toEqual([])
      expect(statuses.lastErrorAt - promotedAt).toBeLessThan(RECOVERED_WITHIN_MS)
      await expect.poll(() => findBrokenSums(ledger), { timeout: 60_000, intervals: [500] }).toEqual({})
      expect(await missing(ledger, acknowledged)).toEqual([])
      const mails = await ledger.query('select from public.mails')
      await expect
        .poll(async () => new Set((await mailServer.received()).map(({ messageId }) => messageId)).size, {
          timeout: 30_000,
        })
        .toBe(mails.rowCount)
      console.log(
        `${acknowledged.orders.length} orders, ${acknowledged.paid.length} paid, ${statuses.errors.length} answers of 503, last ${Math.round(statuses.lastErrorAt - promotedAt)} ms after the promotion, ${BUYERS} more paid after ${Math.round(recoveredMs)} ms`,
      )
    } finally {
      await ledger.end()
      await shop.stop()
      await standby.stop()
      await mailServer.close()
    }
  })
}

test('a database that becomes read-only costs answers of 503 only, and ends when it can be written again @long', async () => {
  test.setTimeout(120_000)
  const binaries = await findInstalledPostgres()
  expect(binaries, 'apt-get install postgresql-15').not.toBeNull()
  const server = await startInstalledPostgres(binaries ?? '')
  const shop = await startShop({ ...settingsFor(payfast), DATABASE_URL: server.url, LOG_LEVEL: 'warn' })
  const setReadOnly = (value: 'on' | 'off') =>
    onServer(server.url, async (client) => {
      await client.query(`set default_transaction_read_only = off`)
      await client.query(`alter system set default_transaction_read_only = ${value}`)
      await client.query('select pg_reload_conf()')
    })
  try {
    await fillShelves(shop)
    const { send, statuses } = observed()
    const buyer = await signUp(shop, send)
    const acknowledged: Acknowledged = { orders: [], paid: [] }
    const buy = () => checkOut(buyer, { poppers: 1, acknowledged, shop, payfast })
    await buy()

    await setReadOnly('on')
    await expect
      .poll(() =>
        buy().then(
          () => 'bought',
          () => 'refused',
        ),
      )
      .toBe('refused')
    await setReadOnly('off')
    await expect
      .poll(
        () =>
          buy().then(
            () => 'bought',
            () => 'refused',
          ),
        { timeout: 15_000 },
      )
      .toBe('bought')

    expect(statuses.errors.map(({ status }) => status).filter((status) => status !== 503)).toEqual([])
    expect(statuses.errors.length).toBeGreaterThan(0)
  } finally {
    await shop.stop()
    await server.stop()
  }
})
