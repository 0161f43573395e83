import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createBackup, inTransaction, openStore, type Store } from '@saltfreak/backend'
import { findRunningPostgres, isLongRun, postgresUrl } from '@saltfreak/backend/testing'
import { Client } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { aBuyer, placeOrder } from '#test/buyer.ts'
import { runUntilExit } from '#test/running-shop.ts'
import { restoreTestCheck } from '../health/checks/restore-test.ts'
import { shopApplication } from '../prepare-database.ts'
import { runRestoreTest } from './run-restore-test.ts'

let root: string
let dataDir: string
let folder: string
let store: Store
/** A folder with one backup, which tests only read. */
let keptFolder: string
let keptBackup: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'restore-test-'))
  dataDir = join(root, 'data')
  store = await openStore({ databaseUrl: null, dataDir }, await shopApplication(), pino({ level: 'silent' }))
  await receiveCash()
  folder = keptFolder = await mkdtemp(join(root, 'backups-'))
  keptBackup = await makeBackup()
})
afterAll(async () => {
  await store.stop()
  await rm(root, { recursive: true, force: true })
})
beforeEach(async () => {
  folder = await mkdtemp(join(root, 'backups-'))
})

/** An order of R 240 that a buyer paid. */
async function receiveCash(): Promise<void> {
  const { database } = store
  const order = await placeOrder(database, await aBuyer(database))
  await inTransaction(database.owner, async (client) => {
    await client.query(`select set_config('request.jwt.claims', '{"sub": "${crypto.randomUUID()}"}', true)`)
    await client.query(`select private.take_payment_by_hand($1, 'cash', 'at the door')`, [order.id])
  })
}

async function makeBackup(): Promise<string> {
  const source = { dataDir, version: '1.0.0', environment: {} }
  return (await createBackup(source, { folder, passphrase: null })).name
}

/** Breaks what triggers protect. */
async function withoutTriggers(sql: string): Promise<void> {
  const server = await findRunningPostgres(dataDir)
  const client = new Client({ connectionString: server ? postgresUrl(server, 'supabase_admin') : '' })
  await client.connect()
  await client.query(`set session_replication_role = replica`)
  await client.query(sql)
  await client.end()
}

async function copies(): Promise<string[]> {
  return (await readdir(dataDir)).filter((name) => name.startsWith('restore-test'))
}

/** Whether PostgreSQL has been started on a copy. */
async function isUnpacked(): Promise<boolean> {
  const [copy] = await copies()
  return copy !== undefined && existsSync(join(dataDir, copy, 'postgres.log'))
}

function find() {
  return restoreTestCheck(store.database.owner, settings()).check()
}

function settings() {
  return { databaseUrl: null, dataDir, backup: { folder, everyHours: 24, passphrase: null } }
}

async function test() {
  await runTest()
  return find()
}

/** On a busy machine, a program of low priority may need minutes. */
function runTest(signal?: AbortSignal): Promise<void> {
  return runRestoreTest({ owner: store.database.owner, settings: settings(), priority: 0 }, signal)
}

it('restores the newest backup each week, tells the owner that it is complete, and leaves no copy behind', async () => {
  folder = keptFolder
  expect(await find()).toMatchObject({
    state: 'ok',
    message: 'The first restore test follows within a week.',
  })

  const flushes = await countFlushes()
  expect(await test()).toEqual({
    state: 'ok',
    message: `The backup ${keptBackup} was restored today, and the copy was complete.`,
  })
  expect(await copies()).toEqual([])
  expect(await flushes(), 'payments would wait for the flush of a copy that is removed').toBe(0)
})

/** Returns how often `sync` has been called since. */
async function countFlushes(): Promise<() => Promise<number>> {
  const programs = await mkdtemp(join(root, 'programs-'))
  await writeFile(join(programs, 'sync'), `#!/bin/sh\ntouch "${programs}/called-$$"\n`, { mode: 0o755 })
  vi.stubEnv('PATH', `${programs}:${process.env.PATH}`)
  onTestFinished(() => void vi.unstubAllEnvs())
  return async () => (await readdir(programs)).length - 1
}

it('tells the owner when the copy lacks a picture, a file or a payment, or when its stock does not add up', async () => {
  await mkdir(join(dataDir, 'storage/objects/ab'), { recursive: true })
  await writeFile(join(dataDir, 'storage/objects/ab/picture'), 'a picture')
  await withoutTriggers(`update public.product_variants set stock_quantity = stock_quantity + 1
    where id = (select id from public.product_variants limit 1)`)
  // The comparison leaves out the last minutes before the backup.
  await withoutTriggers(`update public.payments set created_at = now() - interval '1 day'`)
  await withoutTriggers(`insert into storage.objects (bucket_id, name, version)
    select id, 'lost.webp', gen_random_uuid() from storage.buckets limit 1`)
  await makeBackup()
  const pictures = join(folder, 'files/ab')
  const [picture = ''] = await readdir(pictures)
  await writeFile(join(pictures, picture), 'a damaged picture')
  await withoutTriggers(`insert into public.payments (amount_gross, outcome, way, recorded_by, created_at)
    values (70, 'unknown_order', 'cash', gen_random_uuid(), now() - interval '1 hour')`)

  expect(await test()).toMatchObject({
    state: 'failed',
    message: expect.stringMatching(
      new RegExp(
        [
          '^The backups may be useless: .* so the copy lacks this picture or film',
          'the copy lacks 1 of the stored files',
          'the rule "stock is the sum of its movements" does not hold for 1 rows of the copy',
          'until .* the shop has 2 payments of R 310 and 0 refunds of R 0, the copy 1 payments of R 240 and 0 refunds of R 0\\.$',
        ].join('; '),
      ),
    ),
  })

  await makeBackup()
  expect(await readFile(join(pictures, picture), 'utf8'), 'the next backup copies it again').toBe('a picture')
  await withoutTriggers(`update public.product_variants v set stock_quantity = (
    select sum(m.quantity) from public.stock_movements m where m.variant_id = v.id)`)
  await withoutTriggers(`delete from storage.objects where name = 'lost.webp'`)
  await withoutTriggers('delete from public.payments where amount_gross = 70')
})

it('stops a restore test with the shop, and leaves neither a copy nor its database behind', async () => {
  folder = keptFolder
  const stopping = new AbortController()
  const tested = runTest(stopping.signal)
  const early = tested.then(async () => {
    throw new Error(`the restore test ended before it was stopped: ${(await find()).message}`)
  })
  await Promise.race([expect.poll(isUnpacked, { interval: 5 }).toBe(true), early])
  stopping.abort()

  await expect(tested).rejects.toThrow('The operation was aborted')
  expect(await copies()).toEqual([])
})

it.runIf(isLongRun)('tests a folder of backups by hand, and names what is damaged in one line', async () => {
  const name = await makeBackup()
  const command = { program: 'scripts/restore.ts', args: ['--test', folder] }
  expect(await runUntilExit({ DATA_DIR: join(root, 'scratch') }, command)).toEqual({
    code: 0,
    output: `The backup ${name} was restored, and the copy is complete.\n`,
  })
  const database = (await readdir(join(folder, name))).find((each) => each.startsWith('database')) ?? ''
  await writeFile(join(folder, name, database), 'damaged')

  expect(await runUntilExit({ DATA_DIR: join(root, 'scratch') }, command)).toEqual({
    code: 1,
    output: `${join(folder, name, database)} is missing or damaged: use another backup\n`,
  })
})

it('warns the owner when no backup has been tested for nine days', async () => {
  await store.database.owner.query(`delete from private.restore_tests`)
  // Of the backup, only its name is read.
  await mkdir(join(folder, '2026-01-01T00-00-00Z'))
  await store.database.owner.query(
    `insert into private.restore_tests (tested_at, backup, problems) values (now() - interval '217 hours', 'one', '{}')`,
  )

  expect(await find()).toMatchObject({
    state: 'warning',
    message: 'No backup has been tested for 9 days, although a test is due every week.',
  })
})
