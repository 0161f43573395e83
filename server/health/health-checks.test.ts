import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { promisify } from 'node:util'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { noteCrash } from '@saltfreak/backend'
import { aBuyer, placeOrder } from '#test/buyer.ts'
import { openShop, type TestShop } from '#test/shop.ts'
import { createMetrics } from '../metrics/create-metrics.ts'
import { systemReporter } from '../system/system-report.ts'
import { backupsCheck } from './checks/backups.ts'
import { certificateChecks, certificateFinding } from './checks/certificate.ts'
import { connectionsCheck } from './checks/database.ts'
import { diskFinding } from './checks/disk.ts'
import { scheduleCheck } from './checks/schedule.ts'
import { createHealth } from './create-health.ts'
import { healthChecks } from './health-checks.ts'
import { cacheChecks, runChecks } from './run-checks.ts'

let shop: TestShop
let folder: string
beforeAll(async () => {
  shop = await openShop()
  folder = await mkdtemp(join(tmpdir(), 'health-'))
})
afterAll(async () => {
  await shop.close()
  await rm(folder, { recursive: true })
})

async function find(component: string, settings: Partial<TestShop['settings']> = {}) {
  const findings = await runChecks(healthChecks({ ...shop, settings: { ...shop.settings, ...settings } }))
  return findings.find((finding) => finding.component === component)
}

it('finds nothing wrong in a new shop', async () => {
  const findings = await runChecks(healthChecks(shop))

  expect(findings.filter(({ state }) => state !== 'ok')).toEqual([])
})

it('finds jobs that wait for more than ten minutes, and jobs that failed for good', async () => {
  const add = (runAt: string) =>
    shop.database.owner.query(
      `select graphile_worker.add_job('check_notice', run_at => now() - $1::interval, max_attempts => 1)`,
      [runAt],
    )
  await add('9 minutes')
  expect(await find('jobs')).toMatchObject({ state: 'ok' })

  await add('11 minutes')
  expect(await find('jobs')).toMatchObject({
    state: 'failed',
    message: expect.stringMatching(/^1 background/),
  })

  await shop.database.owner.query('update graphile_worker._private_jobs set attempts = 1, updated_at = now()')
  expect(await find('jobs')).toMatchObject({
    state: 'warning',
    message: expect.stringMatching(/^2 background/),
  })
  await shop.database.owner.query('delete from graphile_worker._private_jobs')
})

it('finds scheduled tasks that have not started for five minutes, also while the clock was ahead', async () => {
  const { owner } = shop.database
  const findSchedule = async (age: string, uptimeSeconds: number) => {
    await owner.query(
      `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
       values ('expire_orders', now() - interval '1 day', now() - $1::interval)
       on conflict (identifier) do update set last_execution = excluded.last_execution`,
      [age],
    )
    return (await scheduleCheck(owner, () => uptimeSeconds).check()).state
  }

  expect(await findSchedule('4 minutes', 1000)).toBe('ok')
  expect(await findSchedule('6 minutes', 1000)).toBe('failed')
  expect(await findSchedule('-40 days', 1000)).toBe('failed')
  // After a long downtime, the first minute must come before anything is late.
  expect(await findSchedule('30 days', 60)).toBe('ok')
  await owner.query('delete from graphile_worker._private_known_crontabs')
})

it('finds e-mails that wait for an hour, and those given up, but not confidential ones', async () => {
  const write = (mail: { age: string; status?: string; confidential?: boolean }) =>
    shop.database.owner.query(
      `insert into public.mails (key, template, props, status, confidential, created_at)
       values (gen_random_uuid(), 'account-closed', '{}', $1, $2, now() - $3::interval)`,
      [mail.status ?? 'queued', mail.confidential ?? false, mail.age],
    )
  await write({ age: '59 minutes' })
  await write({ age: '4 days', status: 'failed', confidential: true })
  await write({ age: '15 days', status: 'failed' })
  expect(await find('mail')).toMatchObject({ state: 'ok' })

  await write({ age: '4 days', status: 'failed' })
  expect(await find('mail')).toMatchObject({
    state: 'warning',
    message: expect.stringMatching(/^1 e-mail could/),
  })

  await write({ age: '61 minutes' })
  expect(await find('mail')).toMatchObject({
    state: 'failed',
    message: expect.stringMatching(/^1 e-mail has/),
  })
  await shop.database.owner.query('delete from public.mails')
})

it('does not report an e-mail as waiting for a mail server that accepts newer ones', async () => {
  const { owner } = shop.database
  await owner.query(
    `insert into public.mails (key, template, props, status, created_at, sent_at) values
       ('older', 'account-closed', '{}', 'sent', now() - interval '3 hours', now() - interval '119 minutes'),
       ('waiting', 'account-closed', '{}', 'queued', now() - interval '2 hours', null)`,
  )
  expect(await find('mail')).toMatchObject({ state: 'failed' })

  await owner.query(
    `insert into public.mails (key, template, props, status, created_at, sent_at)
     values ('newer', 'account-closed', '{}', 'sent', now() - interval '90 minutes', now())`,
  )

  expect(await find('mail')).toMatchObject({ state: 'ok' })
  await owner.query('delete from public.mails')
})

it('finds a shop whose programs end unexpectedly three times a day, and names them', async () => {
  const dataDir = await mkdtemp(join(folder, 'crashes-'))
  await noteCrash(dataDir, 'PostgreSQL')
  await noteCrash(dataDir, 'shop-3001')
  expect(await find('crashes', { dataDir })).toMatchObject({ state: 'ok' })

  await noteCrash(dataDir, 'PostgreSQL')

  expect(await find('crashes', { dataDir })).toMatchObject({
    state: 'warning',
    message: expect.stringContaining('3 times within a day (PostgreSQL, shop-3001)'),
  })
})

it('finds payments that need a person and notices that PayFast has not confirmed for three hours', async () => {
  const { id } = await placeOrder(shop.database, await aBuyer(shop.database))
  const { owner } = shop.database
  await owner.query(`select private.store_notice('payment_status=COMPLETE', $1, '{}', '127.0.0.1')`, [id])
  expect(await find('payment notices')).toMatchObject({ state: 'ok' })

  await owner.query(
    `insert into public.payment_notices (raw_body, m_payment_id, headers, source_address, received_at)
     values ('payment_status=COMPLETE', $1, '{}', '127.0.0.1', now() - interval '181 minutes')`,
    [id],
  )
  expect(await find('payment notices')).toMatchObject({ state: 'failed' })

  expect(await find('payments')).toMatchObject({ state: 'ok' })
  await owner.query(`select private.raise_payment_issue('wrong_amount', null, $1, '{}')`, [id])
  expect(await find('payments')).toMatchObject({
    state: 'warning',
    message: '1 payment needs a decision from you.',
  })
})

it('finds a shop that has made no backup two hours after its start', async ({ onTestFinished }) => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const backup = { folder: join(folder, 'none'), everyHours: 24, passphrase: null }
  const { check } = backupsCheck({ ...shop.settings, backup, isLocal: false })

  vi.setSystemTime(Date.now() + 119 * 60_000)
  expect(await check()).toMatchObject({ state: 'ok', message: 'The first backup is being made.' })

  vi.setSystemTime(Date.now() + 60_000)
  expect(await check()).toMatchObject({ state: 'failed', message: 'There is no backup yet.' })
})

it('finds backups of nine days that have never been tested', async () => {
  const backup = { folder: join(folder, 'untested'), everyHours: 24, passphrase: null }
  await mkdir(join(backup.folder, nameOfBackup(9 * 24 - 1)), { recursive: true })
  expect(await find('restore test', { backup, databaseUrl: null })).toMatchObject({ state: 'ok' })

  await mkdir(join(backup.folder, nameOfBackup(9 * 24)))
  expect(await find('restore test', { backup, databaseUrl: null })).toMatchObject({
    state: 'warning',
    message: 'No backup has been tested for 9 days, although a test is due every week.',
  })
})

it('reports backups that are all dated in the future, whose age is unknown', async () => {
  const backup = { folder: join(folder, 'ahead'), everyHours: 24, passphrase: null }
  await mkdir(join(backup.folder, nameOfBackup(-48)), { recursive: true })

  expect(await find('backups', { backup })).toMatchObject({
    state: 'failed',
    message:
      'The newest backup is dated in the future: the clock of this machine was ahead then, or is behind now.',
  })
})

it('reports a backup folder that has lost its backups at once', async () => {
  const backup = { folder: join(folder, 'unmounted'), everyHours: 24, passphrase: null }
  const dataDir = join(folder, 'data-of-lost-backups')
  await mkdir(dataDir)
  await writeFile(join(dataDir, 'backup-folder'), backup.folder)

  expect(await find('backups', { backup, dataDir })).toMatchObject({
    state: 'failed',
    message: `The backups in ${backup.folder} are gone.`,
    action: `Mount its drive. To begin anew in an empty folder, delete ${join(dataDir, 'backup-folder')}.`,
  })

  await mkdir(join(backup.folder, nameOfBackup(1)), { recursive: true })
  expect(await find('backups', { backup, dataDir })).toMatchObject({ state: 'ok' })
})

it('reports a backup folder that cannot be read', async () => {
  const backup = { folder: join(folder, 'unreadable'), everyHours: 24, passphrase: null }
  // Another user's folder would do for every user but root.
  await symlink(backup.folder, backup.folder)

  expect(await find('backups', { backup })).toMatchObject({
    state: 'failed',
    message: `The backup folder ${backup.folder} cannot be read.`,
    action: 'Check the drive that it is on, and let the user of the shop own its files.',
  })
})

it('reports a write-ahead log that has waited for the backup folder for two hours, which a lost machine would lose', async () => {
  const backup = { folder: join(folder, 'refusing'), everyHours: 24, passphrase: null }
  await mkdir(join(backup.folder, nameOfBackup(3)), { recursive: true })
  const dataDir = join(folder, 'data-with-waiting-log')
  const segment = join(dataDir, 'postgres', 'wal_to_archive', '0'.repeat(24))
  await mkdir(join(segment, '..'), { recursive: true })
  await writeFile(segment, '')
  const findAfter = async (minutes: number) => {
    const handedOver = new Date(Date.now() - minutes * 60_000)
    await utimes(segment, handedOver, handedOver)
    return find('backups', { backup, dataDir, databaseUrl: null })
  }

  expect(await findAfter(119)).toMatchObject({ state: 'ok' })
  expect(await findAfter(121)).toMatchObject({
    state: 'failed',
    message: `The orders of the last 2 hours are in no backup: the database’s write-ahead log cannot be copied to ${backup.folder}.`,
  })
})

it('keeps reading other files, and reports the backup folder, while its drive does not answer', async ({
  onTestFinished,
}) => {
  const backup = { folder: join(folder, 'hanging'), everyHours: 24, passphrase: null }
  const dataDir = await mkdtemp(join(folder, 'data-of-hanging-drive-'))
  const pipe = join(dataDir, 'backup-folder')
  // Opening a pipe without a writer never ends, like reading from a network drive whose server is away.
  await promisify(execFile)('mkfifo', [pipe])
  onTestFinished(() => closeSync(openSync(pipe, 'r+')))
  const settings = { ...shop.settings, backup, dataDir }

  // A process has four threads for files.
  for (let round = 0; round < 5; round += 1) await runChecks(healthChecks({ ...shop, settings }), 20)

  expect(await readFile(import.meta.filename, 'utf8')).toContain('never ends')
  expect(await find('backups', settings)).toMatchObject({
    state: 'failed',
    message: `The backup folder ${backup.folder} does not answer.`,
  })
  expect(await systemReporter({ ...shop, settings })()).toMatchObject({ newestBackup: null })
  const { routes } = createMetrics({ ...shop, settings: { ...settings, metricsToken: 'prometheus-token' } })
  const scraped = await routes.request('/metrics', { headers: { Authorization: 'Bearer prometheus-token' } })
  expect(await scraped.text()).toContain('shop_component_state{component="backups"} 2')
})

it('finds a backup that is late, and a public shop without backups', async () => {
  const backup = { folder, everyHours: 24, passphrase: null }
  expect(await find('backups', { backup: null, isLocal: false })).toMatchObject({
    state: 'warning',
    action: 'Set BACKUP_TO to a folder on another disk, and restart the shop and its database.',
  })
  expect(await find('backups', { backup: null, databaseUrl: 'postgresql://db.example/shop' })).toMatchObject({
    state: 'ok',
    message: 'The provider of the database makes the backups.',
  })
  expect(await find('backups', { backup })).toMatchObject({ state: 'ok' })

  await mkdir(join(folder, nameOfBackup(27)))
  expect(await find('backups', { backup })).toMatchObject({
    state: 'failed',
    message: 'The newest backup is 27 hours old, although one is due every 24 hours.',
  })
  expect(await find('backups', { backup, usesSharedDatabase: true })).toMatchObject({
    action: expect.stringContaining('If BACKUP_TO has changed, restart the database.'),
  })

  const newest = join(folder, nameOfBackup(25))
  await mkdir(newest)
  expect(await find('backups', { backup })).toMatchObject({
    state: 'ok',
    message:
      'The newest backup is 25 hours old. It holds files and settings only: the provider of the database must back up the rest.',
  })
  await writeFile(join(newest, `database.dump.${'0'.repeat(64)}.zst`), '')
  expect(await find('backups', { backup })).toMatchObject({
    state: 'ok',
    message: 'The newest backup is 25 hours old.',
  })
  expect(await find('restore test', { backup, databaseUrl: 'postgresql://db.example/shop' })).toMatchObject({
    state: 'ok',
    message: 'Only you can test the backups of a database that has a server of its own.',
  })
})

it.for([
  [15, 'ok'],
  [14, 'warning'],
] as const)('reports a certificate that expires in %s days as %s', async ([days, state]) => {
  const certificate = await certificateFor(days)
  const server = createServer(certificate, () => undefined).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0

  expect(await find('certificate', { publicUrl: `https://localhost:${port}` })).toMatchObject({ state })
  server.close()
})

it('reports a renewed certificate at once, not a day later', async ({ onTestFinished }) => {
  const server = createServer(await certificateFor(2), () => undefined).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const [check] = certificateChecks({ publicUrl: `https://localhost:${port}` })
  expect(await check?.check()).toMatchObject({ state: 'warning' })

  server.setSecureContext(await certificateFor(90))

  expect(await check?.check()).toMatchObject({ state: 'ok' })
})

it('reports an expired certificate as failed', () => {
  const now = new Date('2026-11-23T12:00:00Z')

  expect(certificateFinding(new Date('2026-11-23T11:59:59Z'), now)).toMatchObject({ state: 'failed' })
  expect(certificateFinding(new Date('2026-11-23T12:00:01Z'), now)).toMatchObject({ state: 'warning' })
})

it.for([
  ['ok', 'ok', 'The disk has room: 1.5 of 40 GB are free.'],
  ['low', 'warning', 'The disk is almost full: 1.5 of 40 GB are free. The shop accepts no new pictures.'],
  [
    'critical',
    'failed',
    'The disk is full: 1.5 of 40 GB are free. The shop only accepts accounts, orders and payments, and soon cannot save those either.',
  ],
] as const)('reports a disk whose level is %s as %s', ([level, state, message]) => {
  const finding = diskFinding(
    { level, freeBytes: 1_500_000_000, totalBytes: 40_000_000_000 },
    { databaseUrl: null, s3: null },
  )

  expect(finding).toMatchObject({ state, message })
})

it('says what a full disk leaves working when the database or the pictures are elsewhere', () => {
  const space = { freeBytes: 1_500_000_000, totalBytes: 40_000_000_000 }
  const s3 = {
    bucket: 'shop-files',
    region: 'af-south-1',
    endpoint: null,
    usesPathStyle: false,
    accessKeyId: 'AKIA1',
    secretAccessKey: 'secret',
    publicFiles: 'proxy',
    publicUrl: null,
  } as const

  expect(
    diskFinding({ ...space, level: 'critical' }, { databaseUrl: 'postgresql://db', s3: null }).message,
  ).toMatch(/The shop accepts no new pictures\.$/)
  expect(diskFinding({ ...space, level: 'low' }, { databaseUrl: null, s3 }).message).toMatch(
    /The shop accepts everything so far\.$/,
  )
})

it('warns the owner when more requests wait for the database than it has connections for', async () => {
  const { api } = shop.database

  expect((await connectionsCheck(api, () => 20).check()).state).toBe('ok')
  expect(await connectionsCheck(api, () => 21).check()).toMatchObject({
    state: 'warning',
    message: 'The shop is very busy: 21 requests are waiting for the database.',
  })
})

it('checks again once a finding is too old', async () => {
  let times = 0
  const counting = {
    component: 'counting',
    check: async () => ({ state: 'ok' as const, message: `Checked ${++times} times.` }),
  }

  const kept = cacheChecks([counting], 60_000)
  const fresh = cacheChecks([counting], 0)

  expect((await kept())[0]?.message).toBe('Checked 1 times.')
  expect((await kept())[0]?.message).toBe('Checked 1 times.')
  expect((await fresh())[0]?.message).toBe('Checked 2 times.')
  expect((await fresh())[0]?.message).toBe('Checked 3 times.')
})

describe('/readyz', () => {
  it('keeps buyers away from a process that stops, which stays alive until its end', async () => {
    const health = createHealth({ ...shop, stopping: AbortSignal.abort() })

    expect((await health.request('/readyz')).status).toBe(503)
    expect((await health.request('/healthz')).status).toBe(200)
  })

  it('keeps buyers away from a process without a database', async () => {
    const nowhere = new Pool({ host: '127.0.0.1', port: 1 })
    const health = createHealth({ ...shop, database: { ...shop.database, owner: nowhere, api: nowhere } })

    expect((await health.request('/readyz')).status).toBe(503)
    await nowhere.end()
  })

  it('sends buyers to a shop in which something else does not work', async () => {
    const health = createHealth({ ...shop, settings: { ...shop.settings, isLocal: false, backup: null } })

    const response = await health.request('/readyz')

    expect(response.status).toBe(200)
    expect((await response.json()).components).toMatchObject({ database: 'ok', backups: 'warning' })
  })
})

it('reports a check that does not answer as failed, and does not wait for it', async () => {
  const stuck = { component: 'stuck', check: () => new Promise<never>(() => undefined) }
  const broken = { component: 'broken', check: () => Promise.reject(new Error('no route')) }

  const findings = await runChecks([stuck, broken], 10)

  expect(findings).toMatchObject([
    { component: 'stuck', state: 'failed', isUnknown: true },
    { component: 'broken', state: 'failed', isUnknown: true },
  ])
})

it('asks the database once for all who read /readyz at the same moment', async () => {
  const query = vi.spyOn(shop.database.owner, 'query')

  const answers = await Promise.all(Array.from({ length: 50 }, () => shop.fetch('/readyz')))

  expect(answers.every(({ status }) => status === 200)).toBe(true)
  const asked = query.mock.calls.filter(([statement]) => statement.includes('releases'))
  expect(asked.length).toBeLessThan(5)
  query.mockRestore()
})

it('tells the public which components work, and nothing else', async () => {
  const response = await shop.fetch('/readyz')

  const { status, components } = await response.json()
  expect([response.status, status]).toEqual([200, 'ready'])
  expect(components).toMatchObject({
    database: 'ok',
    connections: 'ok',
    jobs: 'ok',
    mail: 'ok',
    backups: 'ok',
  })
  expect(Object.values<string>(components).every((state) => /^(?:ok|warning|failed)$/.test(state))).toBe(true)
})

/** A self-signed certificate that is valid from now on. */
async function certificateFor(days: number): Promise<{ key: string; cert: string }> {
  const subject = ['-subj', '/CN=localhost', '-days', String(days)]
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', '-']
  const { stdout } = await promisify(execFile)('openssl', ['req', '-x509', ...subject, ...key])
  const cert = stdout.slice(stdout.indexOf('-----BEGIN CERTIFICATE'))
  return { key: stdout.slice(0, -cert.length), cert }
}

function nameOfBackup(hoursAgo: number): string {
  const moment = new Date(Date.now() - hoursAgo * 3_600_000 - 60_000)
  return `${moment.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
}
