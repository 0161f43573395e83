import { once } from 'node:events'
import { rename } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { Client } from 'pg'
import { findRunningPostgres, postgresUrl } from '@saltfreak/backend/testing'
import { killPostgres, startShop } from '#test/running-shop.ts'
import { isOpenAgain } from './checkout.ts'

/** The checks run once a minute, and look at a problem again after 15 seconds. */
const ROUND_MS = 75_000

test('a shop of three processes sends one alert and one all-clear about a lost database @long', async () => {
  test.setTimeout(10 * 60_000)
  const received: string[] = []
  const webhook = createServer(async (request, response) => {
    const { component, state } = JSON.parse(await text(request))
    if (component === 'database') received.push(state)
    response.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(webhook, 'listening')
  const address = webhook.address()
  const port = typeof address === 'object' ? address?.port : 0
  const shop = await startShop({ PROCESSES: '3', ALERT_URL: `http://127.0.0.1:${port}/` })
  const [data, away] = [join(shop.dataDir, 'postgres'), join(shop.dataDir, 'postgres.away')]

  await killPostgres(shop.dataDir)
  await rename(data, away)
  await expect.poll(() => received, { timeout: 2 * ROUND_MS }).toEqual(['failed'])
  // Every process would have looked by then.
  await pause(ROUND_MS)
  expect(received).toEqual(['failed'])

  await rename(away, data)
  await isOpenAgain(shop)
  // As if the database had answered for an hour.
  const hasWorkedForAnHour = () =>
    inDatabase(
      shop.dataDir,
      `update private.alerts set ok_since = now() - interval '1 hour' where ok_since is not null and cleared_at is null`,
    )
  await expect.poll(hasWorkedForAnHour, { timeout: 2 * ROUND_MS, intervals: [1000] }).toBe(1)
  await expect.poll(() => received, { timeout: 2 * ROUND_MS }).toEqual(['failed', 'ok'])
  await pause(ROUND_MS)
  expect(received).toEqual(['failed', 'ok'])
  await shop.stop()
  webhook.close()
})

async function inDatabase(dataDir: string, statement: string): Promise<number | null> {
  const postgres = await findRunningPostgres(dataDir)
  if (!postgres) return null
  const client = new Client({ connectionString: postgresUrl(postgres, 'supabase_admin') })
  await client.connect()
  const { rowCount } = await client.query(statement)
  await client.end()
  return rowCount
}
