import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { Client } from 'pg'
import { type EmbeddedPostgres, freePort, postgresUrl, startPostgres } from '@saltfreak/backend/testing'
import { runUntilExit, startShop } from '#test/running-shop.ts'

/** As in packages/backend/database/upgrade/connection.ts. */
const UPGRADE_LOCK = 7_258_373
const STARTS = 3

let folder: string
let postgres: EmbeddedPostgres
let database: Client

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-starts-'))
  postgres = await startPostgres(join(folder, 'database'), { durable: false })
  database = new Client({ connectionString: postgresUrl(postgres, 'supabase_admin') })
  await database.connect()
})
test.afterAll(async () => {
  await database.end()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

async function count(sql: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(`select count(*)::int as count ${sql}`)
  return rows[0]?.count ?? 0
}

test('three servers that start at once on an empty database all open, with one admin', async () => {
  test.setTimeout(120_000)
  await database.query('select pg_advisory_lock($1)', [UPGRADE_LOCK])
  const starts = Array.from({ length: STARTS }, (_, number) =>
    startShop({
      DATABASE_URL: postgresUrl(postgres, 'supabase_admin'),
      DATA_DIR: join(folder, `data-${number}`),
    }),
  )
  const opened = Promise.allSettled(starts)
  await expect.poll(() => count(`from pg_locks where locktype = 'advisory' and not granted`)).toBe(STARTS)
  await database.query('select pg_advisory_unlock($1)', [UPGRADE_LOCK])

  const outcomes = await opened
  const shops = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  try {
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && String(outcome.reason))).toEqual(
      Array.from({ length: STARTS }, () => false),
    )
    const answers = await Promise.all(shops.map(async ({ url }) => (await fetch(`${url}/readyz`)).status))
    expect(answers).toEqual(Array.from({ length: STARTS }, () => 200))
    expect(await count(`from public.user_roles where role = 'admin'`)).toBe(1)
  } finally {
    await Promise.all(shops.map((shop) => shop.stop()))
  }
})

// Here and not beside the other start-up errors, because the jobs are in the built pages.
test('a server whose start fails while jobs are running ends with one line', async () => {
  const dataDir = join(folder, 'blocked')
  await mkdir(join(dataDir, 'first-admin.txt'), { recursive: true })
  await database.query('create database blocked')
  const url = new URL(postgresUrl(postgres, 'supabase_admin'))
  url.pathname = '/blocked'

  const { code, output } = await runUntilExit({
    PORT: String(await freePort()),
    DATA_DIR: dataDir,
    DATABASE_URL: url.href,
  })

  expect(output).toMatch(/^[^\n]+first-admin\.txt[^\n]*\n$/)
  expect(code).toBe(1)
})
