import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { loadClientKeys } from '#backend/auth/keys/client-keys.ts'
import { createTokenVerifier } from '#backend/auth/keys/token-verifier.ts'
import { bareDatabase, type TestDatabase } from '#backend/testing/database.ts'
import { openTestFiles, type TestFiles } from '#backend/testing/files.ts'
import { createStorage } from './create-storage.ts'

let test: TestDatabase
let stored: TestFiles
interface TestInit {
  method?: string
  body?: string
  headers?: Record<string, string>
}
let send: (path: string, init?: TestInit) => Promise<unknown>

beforeAll(async () => {
  test = await bareDatabase()
  stored = await openTestFiles()
  const log = { error: (fields: object) => expect.fail(JSON.stringify(fields)) }
  const { database } = test
  const keys = await loadClientKeys(database.owner)
  const verifyToken = createTokenVerifier(database.owner)
  const storage = new Hono().route(
    '/storage/v1',
    createStorage({ database, files: stored.files, keys, verifyToken, log }),
  )
  const headers = { apikey: keys.secret, 'Content-Type': 'application/json' }
  send = async (path, init) => {
    const answer = await storage.request(`/storage/v1/${path}`, {
      ...init,
      headers: { ...headers, ...init?.headers },
    })
    return answer.json()
  }
})
afterAll(async () => {
  await test.close()
  await stored.close()
})

const create = (bucket: object) => send('bucket', { method: 'POST', body: JSON.stringify(bucket) })

it.each(['objects', 'buckets'])('refuses to delete rows of storage.%s with SQL', async (table) => {
  await expect(test.database.owner.query(`delete from storage.${table}`)).rejects.toMatchObject({
    code: '42501',
    message: 'Direct deletion from storage tables is not allowed. Use the Storage API instead.',
  })
})

describe('clients in other languages', () => {
  it('creates a bucket with a name and without an id', async () => {
    expect(await create({ name: 'reels' })).toEqual({ name: 'reels' })
    expect(await send('bucket?search=reels')).toMatchObject([
      { id: 'reels', name: 'reels', type: 'STANDARD' },
    ])
  })

  it.each([{}, { name: 'a/b' }, { id: ' reels ' }])('refuses the invalid bucket name %j', async (bucket) => {
    expect(await create(bucket)).toEqual({
      statusCode: '400',
      code: 'InvalidBucketName',
      error: 'Invalid Input',
      message: 'Bucket name invalid',
    })
  })
})

it('reads an access token without the word Bearer', async () => {
  const answer = await send('bucket', { headers: { authorization: 'a.b.c' } })

  expect(answer).toMatchObject({ code: 'InvalidJWT' })
})

it('lists and removes a file row that SQL inserted without content', async () => {
  await test.database.owner.query(`
    insert into storage.buckets (id, name, public) values ('rows', 'rows', true);
    insert into storage.objects (bucket_id, name, version) values ('rows', 'a.png', null), ('rows', 'Lost/b.png', 'gone')`)
  const copy = { bucketId: 'rows', sourceKey: 'Lost/b.png', destinationKey: 'c.png' }

  for (const path of [
    'object/public/rows/a.png',
    'object/rows/a.png',
    'render/image/public/rows/a.png?width=9',
  ]) {
    expect(await send(path)).toMatchObject({ statusCode: '404', code: 'NoSuchKey' })
  }
  expect(await send('object/copy', { method: 'POST', body: JSON.stringify(copy) })).toMatchObject({
    code: 'NoSuchKey',
  })
  expect(await send('object/list/rows', { method: 'POST', body: '{"prefix":"LOST"}' })).toMatchObject([
    { name: 'b.png' },
  ])
  expect(await send('object/rows', { method: 'DELETE', body: '{"prefixes":["a.png"]}' })).toMatchObject([
    { name: 'a.png' },
  ])
})

it.each([
  ['asc', ['b/', 'a/', 'c/']],
  ['desc', ['c/', 'a/', 'b/']],
])('sorts folders by the oldest file across pages (%s)', async (order, folders) => {
  const bucket = `aged-${order}`
  await test.database.owner.query(
    `insert into storage.buckets (id, name) values ('${bucket}', '${bucket}');
     insert into storage.objects (bucket_id, name, created_at) values ('${bucket}', 'a/1', '2026-01-02'),
       ('${bucket}', 'b/1', '2026-01-01'), ('${bucket}', 'b/2', '2026-01-09'), ('${bucket}', 'c/1', '2026-01-03')`,
  )
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const wanted = { limit: 1, with_delimiter: true, sortBy: { column: 'created_at', order }, cursor }
    const page = z
      .object({ folders: z.array(z.object({ name: z.string() })), nextCursor: z.string().optional() })
      .parse(await send(`object/list-v2/${bucket}`, { method: 'POST', body: JSON.stringify(wanted) }))
    seen.push(...page.folders.map(({ name }) => name))
    cursor = page.nextCursor
  } while (cursor)

  expect(seen).toEqual(folders)
})
