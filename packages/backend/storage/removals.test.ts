import { Hono } from 'hono'
import type { Pool, PoolClient } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import { loadClientKeys } from '#backend/auth/keys/client-keys.ts'
import { createTokenVerifier } from '#backend/auth/keys/token-verifier.ts'
import { bareDatabase, type TestDatabase } from '#backend/testing/database.ts'
import { openTestFiles, type TestFiles } from '#backend/testing/files.ts'
import { createStorage } from './create-storage.ts'
import type { FileStore } from './files/file-store.ts'
import { sweepFiles } from './sweep-files.ts'

const DAY_MS = 24 * 3_600_000

let test: TestDatabase
let stored: TestFiles
/** What the file store does instead of some of its calls. */
let failing: Partial<Pick<FileStore, 'remove' | 'write'>>
let losesCommit = false
let send: (method: string, path: string, body?: string | null) => Promise<number>

beforeAll(async () => {
  test = await bareDatabase()
  stored = await openTestFiles()
  const { owner } = test.database
  const keys = await loadClientKeys(owner)
  await owner.query(`
    insert into storage.buckets (id, name) values ('lures', 'lures');
    create function public.refuse_to_delete() returns trigger language plpgsql as $$ begin raise 'kept'; end $$;
    create constraint trigger refuse_to_delete after delete on storage.objects deferrable initially deferred
      for each row when (old.name = 'kept') execute function public.refuse_to_delete()`)
  const files: FileStore = {
    ...stored.files,
    remove: (key) => (failing.remove ? failing.remove(key) : stored.files.remove(key)),
    write: (...given) => (failing.write ? failing.write(...given) : stored.files.write(...given)),
  }
  const verifyToken = createTokenVerifier(owner)
  const log = { error: () => undefined }
  const database = { ...test.database, owner: losingPool(test.database.owner) }
  const app = new Hono().route('/storage/v1', createStorage({ database, files, keys, verifyToken, log }))
  send = async (method, path, body = null) => {
    const headers = { apikey: keys.secret, 'Content-Type': 'application/json', 'x-upsert': 'true' }
    return (await app.request(`/storage/v1/object/lures${path}`, { method, headers, body })).status
  }
})
beforeEach(() => {
  failing = {}
})
afterAll(async () => {
  await test.close()
  await stored.close()
})

/** A pool whose connections are lost after the commit of a transaction while `losesCommit`. */
function losingPool(pool: Pool): Pool {
  const losing: Pool = Object.create(pool, {
    query: { value: pool.query.bind(pool) },
    connect: { value: async () => (losesCommit ? losingClient(await pool.connect()) : pool.connect()) },
  })
  return losing
}

function losingClient(client: PoolClient): PoolClient {
  const losing: PoolClient = Object.create(client, {
    query: {
      async value(statement: string, values?: unknown[]) {
        const result = await client.query(statement, values)
        if (statement === 'commit') throw new Error('Connection terminated unexpectedly')
        return result
      },
    },
    release: { value: client.release.bind(client) },
  })
  return losing
}

const sweep = (now = Date.now()) => sweepFiles({ owner: test.database.owner, files: stored.files }, now)
/** Sweeps when the files are older than what a killed process may have left. */
const sweepMuchLater = () => sweep(Date.now() + 30 * DAY_MS)

/** Fails the first call only. */
function once(fail: () => Promise<never>): FileStore['remove'] {
  let isFirst = true
  return async (key) => {
    if (!isFirst) return stored.files.remove(key)
    isFirst = false
    await fail()
  }
}

async function unplugged(): Promise<never> {
  throw new Error('the disk is unplugged')
}

it('removes the bytes of deleted files at the next sweep when their removal fails, however old they are', async () => {
  for (const name of ['popper', 'jig']) await send('POST', `/${name}`, '"bytes"')
  failing = { remove: unplugged }
  expect(await send('DELETE', '', '{"prefixes":["popper","jig"]}')).toBe(200)
  expect(await stored.keys()).toHaveLength(2)

  await sweepMuchLater()

  expect(await stored.keys()).toEqual([])
  expect(await Array.fromAsync(stored.files.keys('removals'))).toEqual([])
})

it('keeps a new file and removes the one that it replaced at the next sweep when that removal fails', async () => {
  await send('POST', '/spoon', '"old"')
  failing = { remove: once(unplugged) }
  expect(await send('POST', '/spoon', '"new"')).toBe(200)

  await sweepMuchLater()

  expect(await stored.keys()).toHaveLength(1)
  expect(await send('GET', '/spoon')).toBe(200)
  expect(await send('DELETE', '/spoon')).toBe(200)
})

it('keeps the bytes of a file when the response to the commit of its row is lost', async () => {
  losesCommit = true
  expect(await send('POST', '/frog', '"bytes"')).toBe(503)
  losesCommit = false

  expect(await send('GET', '/frog')).toBe(200)
  expect(await send('DELETE', '/frog')).toBe(200)
})

it('keeps the bytes of a file whose deletion the database refuses', async () => {
  await send('POST', '/kept', '"bytes"')
  expect(await send('DELETE', '/kept')).toBe(400)

  await sweepMuchLater()

  expect(await stored.keys()).toHaveLength(1)
  await test.database.owner.query('drop trigger refuse_to_delete on storage.objects')
  expect(await send('DELETE', '/kept')).toBe(200)
})

it('remembers a removal when the sweep runs before its transaction commits', async () => {
  await send('POST', '/crank', '"bytes"')
  failing = {
    remove: unplugged,
    async write(...given) {
      await stored.files.write(...given)
      await sweep()
    },
  }
  expect(await send('DELETE', '/crank')).toBe(200)

  await sweepMuchLater()

  expect(await stored.keys()).toEqual([])
})

it('deletes files while the disk is full', async () => {
  await send('POST', '/plug', '"bytes"')
  failing = {
    async write() {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    },
  }

  expect(await send('DELETE', '/plug')).toBe(200)
  expect(await stored.keys()).toEqual([])
})
