import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { bareDatabase, type TestDatabase } from '#backend/testing/database.ts'
import { filesOf } from './files/open-files.ts'
import { sweepFiles } from './sweep-files.ts'

const HOST_NAME = hostname().replaceAll(/[^\w-]/g, '-')
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

let test: TestDatabase
let dataDir: string
beforeAll(async () => {
  test = await bareDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'sweep-'))
})
afterAll(async () => {
  await test.close()
  await rm(dataDir, { recursive: true })
})

async function leave(path: string, ageMs: number): Promise<void> {
  const file = join(dataDir, 'storage', path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, 'bytes')
  const at = new Date(Date.now() - ageMs)
  await utimes(file, at, at)
}

async function endedProcess(): Promise<number | undefined> {
  const child = spawn(process.execPath, ['--version'])
  await once(child, 'exit')
  return child.pid
}

async function left(): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'storage'), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted()
}

it('removes the public derivatives of files that are no longer public', async () => {
  await test.database.owner.query(`
    insert into storage.buckets (id, name, public) values ('shown', 'shown', true), ('hidden', 'hidden', false);
    insert into storage.objects (bucket_id, name, version, metadata)
    values ('shown', 'a', 'cc-shown', '{}'), ('hidden', 'b', 'cc-hidden', '{}')`)
  for (const file of ['shown.webp', 'hidden.webp'])
    await leave(`derivatives/cc-${file.slice(0, -5)}/${file}`, 0)
  await leave('private-derivatives/cc-hidden/for-staff.webp', 0)

  await sweepFiles({ owner: test.database.owner, files: filesOf(dataDir) })

  expect(await left()).toEqual(['for-staff.webp', 'shown.webp'])
  await rm(join(dataDir, 'storage'), { recursive: true })
})

it('removes derivatives that were made while their file was deleted, or that may have a place, however old they are', async () => {
  await test.database.owner.query(`
    insert into storage.buckets (id, name, public) values ('pictures', 'pictures', true);
    insert into storage.objects (bucket_id, name, version, metadata) values ('pictures', 'a', 'dd-kept', '{}')`)
  await leave('derivatives/dd-deleted/9xauto.webp', 30 * DAY_MS)
  await leave('private-derivatives/dd-deleted/9xauto.avif', 30 * DAY_MS)
  await leave('derivatives/dd-kept/kept.webp', 30 * DAY_MS)
  // Made before 2.1.0, whose copies may have a place.
  await leave('derivatives/dd-kept/public-face', 30 * DAY_MS)

  await sweepFiles({ owner: test.database.owner, files: filesOf(dataDir) })

  expect(await left()).toEqual(['kept.webp'])
  await rm(join(dataDir, 'storage'), { recursive: true })
})

it('removes the remaining parts of a finished upload and keeps those of an unfinished one', async () => {
  await test.database.owner.query(`
    insert into storage.buckets (id, name) values ('films', 'films');
    insert into storage.resumable_uploads
      (id, bucket_id, name, size, upload_metadata, is_upsert, begun_as, expires_at, finished_at)
    select id, 'films', id, 5, '', false, 'service_role', now() + interval '1 hour', finished_at
    from (values ('finished', now()), ('unfinished', null)) uploads (id, finished_at)`)
  for (const id of ['finished', 'unfinished']) await leave(`resumable/${id}`, 90 * MINUTE_MS)

  await sweepFiles({ owner: test.database.owner, files: filesOf(dataDir) })

  expect(await left()).toEqual(['unfinished'])
  await rm(join(dataDir, 'storage'), { recursive: true })
})

it('removes only the stored files that a killed process left behind', async () => {
  await test.database.owner.query(`
    insert into storage.buckets (id, name) values ('videos', 'videos');
    insert into storage.objects (bucket_id, name, version, metadata) values ('videos', 'a', 'aa-with-row', '{}')`)
  await leave('unfinished/broken-off', 90 * MINUTE_MS)
  await leave('unfinished/arriving', MINUTE_MS)
  await leave(`unfinished/${HOST_NAME}.${await endedProcess()}.just-now`, 0)
  await leave(`unfinished/${HOST_NAME}.${process.ppid}.of-another`, 0)
  const ageOfProcess = process.uptime() * 1000
  await leave(`unfinished/${HOST_NAME}.${process.pid}.of-an-earlier-process`, ageOfProcess + MINUTE_MS)
  await leave(`unfinished/${HOST_NAME}.${process.pid}.of-this-process`, 0)
  await leave('objects/aa/aa-with-row', 90 * MINUTE_MS)
  await leave('objects/bb/bb-without', 90 * MINUTE_MS)
  await leave('derivatives/bb-without/small.webp', 90 * MINUTE_MS)
  await leave('objects/bb/bb-just-written', MINUTE_MS)
  await leave('resumable/part-of-no-upload', 90 * MINUTE_MS)
  await leave('objects/bb/bb-of-an-older-database', 3 * DAY_MS)

  await sweepFiles({ owner: test.database.owner, files: filesOf(dataDir) })

  expect(await left()).toEqual(
    [
      'aa-with-row',
      'arriving',
      'bb-just-written',
      'bb-of-an-older-database',
      `${HOST_NAME}.${process.ppid}.of-another`,
      `${HOST_NAME}.${process.pid}.of-this-process`,
    ].toSorted(),
  )
})
