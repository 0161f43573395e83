import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onServer } from '@saltfreak/backend/testing'
import { pino } from 'pino'
import { expect, inject, it } from 'vitest'
import { startMailServer } from '#test/mail-server.ts'
import { openShop } from '#test/shop.ts'
import { diskCheck } from '../health/checks/disk.ts'
import { watchHealth } from './watch-health.ts'

const ALERTS = 'private.alerts'

/** Mounts a small disk in memory; false where this user may not. */
function mountDisk(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=711', 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function fillDisk(path: string): Promise<void> {
  for (let isFull = false; !isFull;) {
    // oxlint-disable-next-line no-await-in-loop -- one write after the other
    isFull = await appendFile(path, Buffer.alloc(4096)).then(
      () => false,
      () => true,
    )
  }
}

/** Creates a tablespace on the disk, in a folder that belongs to PostgreSQL's own user. */
async function createTablespace(disk: string): Promise<void> {
  await onServer(inject('superuserUrl'), async (server) => {
    const { rows } = await server.query(`select current_setting('data_directory') as data`)
    const { uid, gid } = await stat(rows[0]?.data)
    const folder = join(disk, 'tables')
    await mkdir(folder)
    execFileSync('chown', [`${uid}:${gid}`, folder])
    await server.query(`create tablespace full_disk location '${folder}'`)
    await server.query('grant create on tablespace full_disk to public')
  })
}

it('a full disk, to which PostgreSQL cannot write, sends one alert by mail and webhook, and one all-clear', async (test) => {
  const disk = await mkdtemp(join(tmpdir(), 'full-disk-'))
  const isMounted = mountDisk(disk)
  if (!isMounted) await rm(disk, { recursive: true })
  if (!isMounted && process.env.TEST_RUN !== 'long') test.skip('this user may not mount a disk')
  expect(isMounted).toBe(true)
  const posted: string[] = []
  const webhook = createServer(async (request, response) => {
    posted.push(JSON.parse(await text(request)).state)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(webhook, 'listening')
  const address = webhook.address()
  const port = typeof address === 'object' ? address?.port : 0
  const mails = await startMailServer()
  const shop = await openShop({ smtpUrl: mails.url, alertUrl: `http://127.0.0.1:${port}/`, dataDir: disk })
  const { owner } = shop.database
  const alerts = async () => {
    await shop.runJobs()
    return { mails: (await mails.received()).map(({ subject }) => subject), posted }
  }
  let minutes = 0
  const watch = watchHealth({
    ...shop,
    checks: [diskCheck(shop.settings)],
    log: pino({ level: 'silent' }),
    confirmMs: 0,
    now: () => new Date(Date.now() + minutes * 60_000),
  })
  try {
    await createTablespace(disk)
    await owner.query(`alter table ${ALERTS} set tablespace full_disk`)
    await watch.round()
    await fillDisk(join(disk, 'ballast'))
    await expect(
      owner.query(`insert into ${ALERTS} (component, state, message) values ('disk', 'failed', 'full')`),
    ).rejects.toMatchObject({ code: '53100' })

    await watch.round()
    await watch.round()
    expect(await alerts()).toEqual({ mails: ['Shop alert: disk'], posted: ['failed'] })

    await rm(join(disk, 'ballast'))
    for (minutes = 1; minutes < 15; minutes += 1) {
      // oxlint-disable-next-line no-await-in-loop -- minute by minute
      await watch.round()
    }
    expect(await alerts()).toEqual({
      mails: ['Shop alert: disk', 'All clear: disk'],
      posted: ['failed', 'ok'],
    })
  } finally {
    await owner.query(`alter table ${ALERTS} set tablespace pg_default`).catch(() => undefined)
    await shop.close()
    await onServer(inject('superuserUrl'), (server) =>
      server.query('drop tablespace if exists full_disk'),
    ).catch(() => undefined)
    await mails.close()
    webhook.close()
    execFileSync('umount', ['-l', disk])
    await rm(disk, { recursive: true })
  }
})
