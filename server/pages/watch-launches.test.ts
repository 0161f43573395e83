import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { shopDatabase, type TestDatabase } from '#test/database.ts'
import { watchLaunches } from './watch-launches.ts'

let test: TestDatabase
let closing: AbortController
let first = ''
let second = ''
beforeEach(async () => {
  test = await shopDatabase()
  closing = new AbortController()
  const { rows } = await test.database.owner.query('select slug from public.products order by slug limit 2')
  ;[first, second] = rows.map(({ slug }) => slug)
})
afterEach(async () => {
  closing.abort()
  await test.close()
})

const launchIn = (ms: number, slug: string) =>
  test.database.owner.query(
    `update public.products set status = 'announced', publish_at = clock_timestamp() + $2 * interval '1 ms' where slug = $1`,
    [slug, ms],
  )

async function statusOf(slug: string): Promise<unknown> {
  const select = 'select status from public.products where slug = $1'
  const { rows } = await test.database.owner.query(select, [slug])
  return rows[0]?.status
}

async function waitingForLocks(): Promise<number> {
  const { rows } = await test.database.owner.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.length
}

it('a launch that is announced while another product is being put on sale is not late', async () => {
  await launchIn(-1000, first)
  const editor = await test.database.owner.connect()
  await editor.query('begin')
  await editor.query('select from public.products where slug = $1 for update', [first])
  const catalogueChanged = watchLaunches({
    database: test.database,
    log: pino({ level: 'silent' }),
    closing: closing.signal,
    onNear: () => undefined,
    onReady: () => undefined,
  })
  catalogueChanged()
  await expect.poll(waitingForLocks).toBe(1)

  await launchIn(1000, second)
  catalogueChanged()
  await editor.query('commit')
  editor.release()

  await expect.poll(() => statusOf(first)).toBe('live')
  await expect.poll(() => statusOf(second), { timeout: 5000 }).toBe('live')
})
