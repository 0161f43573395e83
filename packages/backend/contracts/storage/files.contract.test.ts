import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import * as fc from 'fast-check'
import { Hono } from 'hono'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { runs } from '#backend/testing/property-runs.ts'
import { createTokenVerifier } from '#backend/auth/keys/token-verifier.ts'
import { openAuth, PUBLIC_URL, type TestAuth } from '#backend/testing/auth.ts'
import { openTestTransport, type TestTransport } from '#backend/testing/transport.ts'
import { openTestFiles, type TestFiles } from '#backend/testing/files.ts'
import { createStorage } from '#backend/storage/create-storage.ts'
import type { FileStore } from '#backend/storage/files/file-store.ts'
import { StorageError } from '#backend/storage/errors.ts'

let auth: TestAuth
let stored: TestFiles
let app: Hono
let transport: TestTransport
let isDiskFull = false
const failures: object[] = []

beforeAll(async () => {
  auth = await openAuth()
  stored = await openTestFiles()
  const { database, keys } = auth
  const verifyToken = createTokenVerifier(database.owner)
  const log = { error: (fields: object) => void failures.push(fields) }
  const files: FileStore = {
    ...stored.files,
    async requireSpace() {
      if (isDiskFull) throw new StorageError('InsufficientStorage')
      await stored.files.requireSpace()
    },
  }
  app = new Hono()
    .route('/storage/v1', createStorage({ database, files, keys, verifyToken, log }))
    .route('/', auth.anotherProcess())
  transport = openTestTransport((request) => app.fetch(request))
  await database.owner.query(`
    insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
      ('catches', 'catches', false, null, null),
      ('open', 'open', true, 100000, '{image/*}');
    create policy read_own on storage.objects for select to authenticated
      using (bucket_id = 'catches' and owner_id = (select auth.uid())::text);
    create policy add_own on storage.objects for insert to authenticated
      with check (bucket_id = 'catches' and (storage.foldername(name))[1] = (select auth.uid())::text
        or bucket_id = 'open' and storage.operation() like 'storage.object.%');
    create policy change_own on storage.objects for update to authenticated
      using (bucket_id = 'catches' and owner_id = (select auth.uid())::text);
    create policy remove_own on storage.objects for delete to authenticated
      using (bucket_id = 'catches' and owner_id = (select auth.uid())::text)`)
})
afterAll(async () => {
  await transport.close()
  await auth.close()
  await stored.close()
  expect(failures).toEqual([])
})

function clientWith(key: string): SupabaseClient {
  return createClient(PUBLIC_URL, key, {
    global: { fetch: transport.fetch },
    auth: { persistSession: false, autoRefreshToken: false },
  })
}

let people = 0
async function angler() {
  people += 1
  const client = clientWith(auth.keys.publishable)
  const { data, error } = await client.auth.signUp({
    email: `angler${people}@example.com`,
    password: 'salt-water-42',
  })
  if (error) throw error
  const id = data.user?.id ?? ''
  return {
    id,
    files: client.storage.from('catches'),
    open: client.storage.from('open'),
    storage: client.storage,
    session: data.session?.access_token ?? '',
  }
}

const visitor = () => clientWith(auth.keys.publishable).storage
const service = () => clientWith(auth.keys.secret).storage

const privateSizes = () => Array.fromAsync(stored.files.keys('private-derivatives'))

async function fileCount(): Promise<number> {
  return (await stored.keys()).length
}

function postFile(path: string, { body, ...headers }: { body: string } & Record<string, string>) {
  return app.request(`${PUBLIC_URL}/storage/v1/object/${path}`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${auth.keys.secret}`, ...headers },
  })
}

const filePart = (type: string, content: string) =>
  `--x\r\nContent-Disposition: form-data; name=""; filename="a"\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`

const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('a file', () => {
  it('is not read with the token of an upload', async () => {
    const { id, files } = await angler()
    const path = `${id}/uploaded.txt`
    const { data } = await files.createSignedUploadUrl(path)
    const token = data?.token ?? ''
    await files.uploadToSignedUrl(path, token, 'a secret spot')

    const answer = await app.request(`/storage/v1/object/sign/catches/${path}?token=${token}`)

    expect(token).not.toBe('')
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: 'InvalidJWT' })
  })

  it('is kept out of shared caches when only its owner may read it', async () => {
    const { id, files, session } = await angler()
    const path = `${id}/private.txt`
    await files.upload(path, 'a secret spot', { cacheControl: '60' })

    const answer = await app.request(`/storage/v1/object/authenticated/catches/${path}`, {
      headers: { apikey: auth.keys.publishable, authorization: `Bearer ${session}` },
    })

    expect(answer.headers.get('cache-control')).toBe('private, max-age=60')
  })

  it.each([
    ['text', () => 'a catch 🎣', 'text/plain;charset=UTF-8'],
    ['bytes', () => Buffer.from('a catch 🎣'), 'text/plain;charset=UTF-8'],
    ['a blob', () => new Blob(['a catch 🎣'], { type: 'text/markdown' }), 'text/markdown'],
    ['a stream', () => new Blob(['a catch 🎣']).stream(), 'text/plain;charset=UTF-8'],
  ])('uploads %s and downloads the same bytes', async (name, body, contentType) => {
    const { id, files } = await angler()
    const path = `${id}/${name}.txt`

    const up = await files.upload(path, body(), { metadata: { boat: 'Bona' }, cacheControl: '60' })
    const down = await files.download(path)
    const info = await files.info(path)

    expect(up.error).toBeNull()
    expect(up.data).toMatchObject({ path, fullPath: `catches/${path}`, id: expect.any(String) })
    expect(await down.data?.text()).toBe('a catch 🎣')
    expect(info.data).toMatchObject({
      name: path,
      bucketId: 'catches',
      size: 12,
      contentType,
      cacheControl: 'max-age=60',
      metadata: { boat: 'Bona' },
      etag: expect.stringMatching(/^"[\da-f]{32}"$/),
    })
    expect((await files.exists(path)).data).toBe(true)
  })

  it('overwrites a file only with the upsert option and removes the old bytes', async () => {
    const { id, files } = await angler()
    const path = `${id}/log.txt`
    await files.upload(path, 'first')
    const before = await fileCount()

    const again = await files.upload(path, 'second')
    const upsert = await files.upload(path, 'third', { upsert: true })
    const update = await files.update(path, 'fourth')

    expect(again.error).toMatchObject({
      status: 400,
      statusCode: '409',
      message: 'The resource already exists',
    })
    expect([upsert.error, update.error]).toEqual([null, null])
    expect(await (await files.download(path)).data?.text()).toBe('fourth')
    expect(await fileCount()).toBe(before)
  })

  it('moves and copies files including metadata', async () => {
    const { id, files } = await angler()
    await files.upload(`${id}/a.txt`, 'a')

    const moved = await files.move(`${id}/a.txt`, `${id}/b.txt`)
    const copied = await files.copy(`${id}/b.txt`, `${id}/c.txt`)
    const taken = await files.copy(`${id}/b.txt`, `${id}/c.txt`)
    const missing = await files.move(`${id}/a.txt`, `${id}/d.txt`)

    expect(moved.data).toEqual({ message: 'Successfully moved' })
    expect(copied.data).toEqual({ path: `catches/${id}/c.txt` })
    expect(
      [taken.error, missing.error].map((error) => error && 'statusCode' in error && error.statusCode),
    ).toEqual(['409', '404'])
    expect(await (await files.download(`${id}/c.txt`)).data?.text()).toBe('a')
    await files.remove([`${id}/b.txt`])
    expect(await (await files.download(`${id}/c.txt`)).data?.text()).toBe('a')
  })

  it('removes the copied bytes when the database refuses the copy’s row', async () => {
    const { id, files } = await angler()
    await files.upload(`${id}/a.txt`, 'a')
    // Deferred, so that the row is refused after the bytes are written, not by the check before.
    await auth.database.owner.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'no room'; end $$;
      create constraint trigger refuse_copy after insert on storage.objects deferrable initially deferred
        for each row when (new.name like '%/refused.txt') execute function refuse()`)
    const before = await fileCount()

    const { error } = await files.copy(`${id}/a.txt`, `${id}/refused.txt`)

    expect(error).toBeTruthy()
    expect(await fileCount()).toBe(before)
    failures.splice(0)
  })

  it('refuses to move or copy a file to a name with dot segments', async () => {
    const { id, files } = await angler()
    await files.upload(`${id}/a.txt`, 'a')

    const moved = await files.move(`${id}/a.txt`, `${id}/../b.txt`)
    const copied = await files.copy(`${id}/a.txt`, `${id}/../b.txt`)

    for (const { error } of [moved, copied])
      expect(error).toMatchObject({ message: `Invalid key: ${id}/../b.txt` })
    expect((await files.exists(`${id}/a.txt`)).data).toBe(true)
  })

  it('refuses a copy while the disk is nearly full', async () => {
    const { id, files } = await angler()
    await files.upload(`${id}/a.txt`, 'a')
    const before = await fileCount()
    isDiskFull = true

    const { error } = await files.copy(`${id}/a.txt`, `${id}/b.txt`)
    isDiskFull = false

    expect(error).toMatchObject({ statusCode: '507' })
    expect(await fileCount()).toBe(before)
  })

  it('removes files and stored bytes and skips missing names', async () => {
    const { id, files } = await angler()
    const before = await fileCount()
    await files.upload(`${id}/a.txt`, 'a')

    const { data } = await files.remove([`${id}/a.txt`, `${id}/none.txt`])

    expect(data?.map(({ name }) => name)).toEqual([`${id}/a.txt`])
    expect(await fileCount()).toBe(before)
    expect((await files.download(`${id}/a.txt`)).error).toBeTruthy()
  })

  it('serves resized private pictures to users with read access only', async () => {
    const { id, files, session } = await angler()
    const picture = await sharp({ create: { width: 90, height: 60, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    await files.upload(`${id}/fish.png`, picture, { contentType: 'image/png' })

    const { data } = await files.download(`${id}/fish.png`, { transform: { width: 30, format: 'origin' } })
    const answer = await app.request(
      `/storage/v1/render/image/authenticated/catches/${id}/fish.png?width=30`,
      { headers: { apikey: auth.keys.publishable, authorization: `Bearer ${session}` } },
    )

    expect(await sharp(await data?.arrayBuffer()).metadata()).toMatchObject({
      width: 30,
      height: 20,
      format: 'png',
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control'), 'shared caches').toBe('private, max-age=3600')
  })

  it('removes the sizes of a private picture together with the picture', async () => {
    const { id, files } = await angler()
    const before = await privateSizes()
    const picture = await sharp({ create: { width: 90, height: 60, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    await files.upload(`${id}/fish.png`, picture, { contentType: 'image/png' })
    await files.download(`${id}/fish.png`, { transform: { width: 31, format: 'origin' } })
    expect(await privateSizes()).toHaveLength(before.length + 1)

    await files.remove([`${id}/fish.png`])

    expect(await privateSizes()).toEqual(before)
  })
})

describe('a folder', () => {
  it('lists files and sub-folders of a folder, sorted and paginated', async () => {
    const { id, files } = await angler()
    for (const name of ['b.txt', 'a.txt', 'sub/c.txt', 'sub/deep/d.txt', '10_off.txt']) {
      await files.upload(`${id}/${name}`, name)
    }

    const root = await files.list(id)
    const sub = await files.list(`${id}/sub`)
    const page = await files.list(id, { limit: 1, offset: 1, sortBy: { column: 'name', order: 'desc' } })
    const found = await files.list(id, { search: '10_' })

    expect(root.data?.map(({ name }) => name).toSorted()).toEqual(['10_off.txt', 'a.txt', 'b.txt', 'sub'])
    expect(root.data?.find(({ name }) => name === 'sub')).toMatchObject({
      id: null,
      metadata: null,
      updated_at: null,
    })
    expect(root.data?.find(({ name }) => name === 'a.txt')?.metadata).toMatchObject({
      size: 5,
      mimetype: 'text/plain;charset=UTF-8',
    })
    expect(sub.data?.map(({ name }) => name).toSorted()).toEqual(['c.txt', 'deep'])
    expect(page.data?.map(({ name }) => name)).toEqual(['b.txt'])
    expect(found.data?.map(({ name }) => name)).toEqual(['10_off.txt'])
  })

  it('lists files by cursor without gaps and duplicates', async () => {
    const { id, files } = await angler()
    for (const name of ['a.txt', 'b/1.txt', 'b/2.txt', 'c.txt', 'd.txt'])
      await files.upload(`${id}/${name}`, name)

    const seen: string[] = []
    let cursor: string | undefined
    do {
      const { data } = await files.listV2({ prefix: `${id}/`, limit: 2, with_delimiter: true, cursor })
      seen.push(
        ...(data?.folders ?? []).map(({ name }) => name),
        ...(data?.objects ?? []).map(({ name }) => name),
      )
      cursor = data?.hasNext ? data.nextCursor : undefined
    } while (cursor)

    expect(seen.map((name) => name.replace(`${id}/`, '')).toSorted()).toEqual([
      'a.txt',
      'b/',
      'c.txt',
      'd.txt',
    ])
  })
})

describe('signed URLs', () => {
  it('lets a visitor read one file with a signed URL', async () => {
    const { id, files } = await angler()
    await files.upload(`${id}/a.txt`, 'a')
    await files.upload(`${id}/b.txt`, 'b')

    const { data } = await files.createSignedUrl(`${id}/a.txt`, 60, { download: 'catch.txt' })
    const answer = await app.request(data?.signedUrl ?? '')
    const other = await app.request((data?.signedUrl ?? '').replace('a.txt', 'b.txt'))

    expect(await answer.text()).toBe('a')
    expect(answer.headers.get('content-disposition')).toContain('catch.txt')
    expect(await other.json()).toMatchObject({ code: 'InvalidJWT' })
  })

  it('lets only the reader cache a file with a signed URL, for no longer than the URL is valid', async () => {
    const { id, files } = await angler()
    const picture = await sharp({ create: { width: 90, height: 60, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    await files.upload(`${id}/fish.png`, picture, { contentType: 'image/png', cacheControl: '3600' })
    await files.upload(`${id}/a.txt`, 'a', { cacheControl: '0' })
    const caching = async (path: string, seconds: number, transform?: { width: number }) => {
      const { data } = await files.createSignedUrl(`${id}/${path}`, seconds, transform && { transform })
      const answer = await app.request(data?.signedUrl ?? '')
      return answer.headers.get('cache-control')
    }

    const short = [
      await caching('fish.png', 20),
      await caching('fish.png', 20, { width: 30 }),
      await caching('a.txt', 20),
    ]
    const long = [await caching('fish.png', 1e6), await caching('fish.png', 1e6, { width: 30 })]
    isDiskFull = true
    const original = [
      await caching('fish.png', 20, { width: 32 }),
      await caching('fish.png', 1e6, { width: 32 }),
    ]
    isDiskFull = false

    const upTo20 = /^private, max-age=(?:1?\d|20)$/
    expect(short).toEqual([
      expect.stringMatching(upTo20),
      expect.stringMatching(upTo20),
      'private, max-age=0',
    ])
    expect(long).toEqual(['private, max-age=3600', 'private, max-age=3600'])
    expect(original).toEqual([expect.stringMatching(upTo20), 'private, max-age=60'])
  })

  it('rejects a signed URL after its expiry', async () => {
    const { id, files } = await angler()
    await files.upload(`${id}/a.txt`, 'a')
    const { data } = await files.createSignedUrl(`${id}/a.txt`, 1)

    const token = new URL(data?.signedUrl ?? '').searchParams.get('token') ?? ''
    const [head, body] = token.split('.')
    const claims = JSON.parse(Buffer.from(body ?? '', 'base64url').toString())
    const later = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + 1e6 })).toString('base64url')
    const forged = await app.request(
      `${PUBLIC_URL}/storage/v1/object/sign/catches/${id}/a.txt?token=${head}.${later}.${token.split('.')[2]}`,
    )

    expect(claims.exp - claims.iat).toBe(1)
    expect(await forged.json()).toMatchObject({ code: 'InvalidJWT' })
  })

  it('signs many URLs at once, but only for readable files', async () => {
    const [one, other] = [await angler(), await angler()]
    await one.files.upload(`${one.id}/a.txt`, 'a')

    const own = await one.files.createSignedUrls([`${one.id}/a.txt`, `${one.id}/none.txt`], 60)
    const foreign = await other.files.createSignedUrl(`${one.id}/a.txt`, 60)

    expect(own.data?.map(({ error }) => error === null)).toEqual([true, false])
    expect(foreign.error).toMatchObject({ statusCode: '404', message: 'Object not found' })
  })

  it('refuses a signed URL’s token as an access token or upload token', async () => {
    const { id, files, storage } = await angler()
    await files.upload(`${id}/a.txt`, 'a')
    const { data } = await files.createSignedUrl(`${id}/a.txt`, 60)
    const token = new URL(data?.signedUrl ?? '').searchParams.get('token') ?? ''

    const asBearer = await app.request(`${PUBLIC_URL}/storage/v1/object/catches/${id}/a.txt`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const asUpload = await storage.from('catches').uploadToSignedUrl(`${id}/a.txt`, token, 'mine')

    expect(await asBearer.json()).toMatchObject({ code: 'InvalidJWT' })
    expect(asUpload.error).toMatchObject({ message: 'Invalid JWT' })
  })

  it('lets another person upload one file with a signed token', async () => {
    const { id, files } = await angler()

    const { data } = await files.createSignedUploadUrl(`${id}/gift.txt`)
    const put = await visitor()
      .from('catches')
      .uploadToSignedUrl(`${id}/gift.txt`, data?.token ?? '', 'a gift')
    const twice = await visitor()
      .from('catches')
      .uploadToSignedUrl(`${id}/gift.txt`, data?.token ?? '', 'another')
    const elsewhere = await visitor()
      .from('catches')
      .uploadToSignedUrl(`${id}/other.txt`, data?.token ?? '', 'another')

    const [, claims = ''] = (data?.token ?? '').split('.')
    const { iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString())
    expect(exp - iat, 'valid for two hours').toBe(7200)
    expect(put.data).toMatchObject({ fullPath: `catches/${id}/gift.txt` })
    expect(twice.error).toMatchObject({ statusCode: '409' })
    expect(elsewhere.error).toMatchObject({ message: 'Invalid JWT' })
    expect(await (await files.download(`${id}/gift.txt`)).data?.text()).toBe('a gift')
  })
})

describe('policies', () => {
  it('denies other customers every operation on a private file', async () => {
    const [owner, stranger] = [await angler(), await angler()]
    const path = `${owner.id}/secret.txt`
    await owner.files.upload(path, 'secret')
    const others = [stranger.files, visitor().from('catches')]

    for (const files of others) {
      const errors = [
        (await files.download(path)).error,
        (await files.info(path)).error,
        (await files.upload(path, 'mine', { upsert: true })).error,
        (await files.upload(`${owner.id}/new.txt`, 'mine')).error,
        (await files.move(path, `${owner.id}/moved.txt`)).error,
        (await files.copy(path, `${stranger.id}/copy.txt`)).error,
        (await files.createSignedUrl(path, 60)).error,
        (await files.createSignedUploadUrl(`${owner.id}/new.txt`)).error,
      ]
      expect(errors.map((error) => error !== null)).toEqual(errors.map(() => true))
      expect((await files.remove([path])).data).toEqual([])
      expect((await files.list(owner.id)).data).toEqual([])
    }
    expect(await (await owner.files.download(path)).data?.text()).toBe('secret')
  })

  it('responds with a protocol error and stores no bytes when a policy refuses an upload', async () => {
    const { files } = await angler()
    const before = await fileCount()

    const { error } = await files.upload('somebody/else.txt', 'mine')

    expect(error).toMatchObject({
      status: 400,
      statusCode: '403',
      message: 'new row violates row-level security policy',
    })
    expect(await fileCount()).toBe(before)
  })

  it('lets the secret key bypass the storage policies', async () => {
    const { id, files } = await angler()
    await files.upload(`${id}/a.txt`, 'a')

    expect(await (await service().from('catches').download(`${id}/a.txt`)).data?.text()).toBe('a')
  })
})

it('strips the location from public photographs even if the upload claims another content type', async () => {
  const photograph = await sharp({ create: { width: 9, height: 6, channels: 3, background: 'teal' } })
    .withExif({
      IFD3: { GPSLatitude: '33/1 36/1 0/1', GPSLatitudeRef: 'S' },
      IFD0: { Model: 'PhoneOfThandi' },
    })
    .jpeg()
    .toBuffer()
  await service().createBucket('anything', { public: true })
  const anything = service().from('anything')
  await anything.upload('note.txt', photograph, { contentType: 'text/plain' })

  const shown = await app.request(anything.getPublicUrl('note.txt').data.publicUrl)

  const face = Buffer.from(await shown.arrayBuffer())
  expect(photograph.includes('PhoneOfThandi')).toBe(true)
  expect(face.includes('PhoneOfThandi')).toBe(false)
  expect((await sharp(face).metadata()).width).toBe(9)
})

describe('a bucket', () => {
  it('lets the secret key create, change, empty and delete a bucket', async () => {
    const made = await service().createBucket('lures', {
      public: true,
      fileSizeLimit: '1MB',
      allowedMimeTypes: ['text/plain'],
    })
    const again = await service().createBucket('lures')
    const got = await service().getBucket('lures')
    await service().from('lures').upload('a.txt', 'a', { contentType: 'text/plain' })
    const full = await service().deleteBucket('lures')
    const changed = await service().updateBucket('lures', { public: false })
    const emptied = await service().emptyBucket('lures')
    const deleted = await service().deleteBucket('lures')
    const gone = await service().getBucket('lures')

    expect(made.data).toEqual({ name: 'lures' })
    expect(again.error).toMatchObject({ statusCode: '409' })
    expect(got.data).toMatchObject({
      id: 'lures',
      public: true,
      file_size_limit: 1_000_000,
      allowed_mime_types: ['text/plain'],
    })
    expect(full.error).toMatchObject({
      statusCode: '409',
      message: 'The bucket you tried to delete is not empty',
    })
    expect(changed.data).toEqual({ message: 'Successfully updated' })
    expect(emptied.data).toEqual({
      message: 'Empty bucket has been queued. Completion may take up to an hour.',
    })
    expect(deleted.data).toEqual({ message: 'Successfully deleted' })
    expect(gone.error).toMatchObject({ statusCode: '404', message: 'Bucket not found' })
  })

  it('keeps the size limit and the file types of a bucket when a change does not name them', async () => {
    await service().createBucket('reels', {
      public: true,
      fileSizeLimit: '1MB',
      allowedMimeTypes: ['text/plain'],
    })
    await service().updateBucket('reels', { public: false })

    expect((await service().getBucket('reels')).data).toMatchObject({
      public: false,
      file_size_limit: 1_000_000,
      allowed_mime_types: ['text/plain'],
    })
  })

  it('keeps a bucket private and its file types unchanged when only the size limit changes', async () => {
    await service().createBucket('hooks', { public: false, allowedMimeTypes: ['text/plain'] })

    const answer = await app.request(`${PUBLIC_URL}/storage/v1/bucket/hooks`, {
      method: 'PUT',
      body: '{"file_size_limit":"2MB"}',
      headers: { authorization: `Bearer ${auth.keys.secret}` },
    })

    expect(answer.status).toBe(200)
    expect((await service().getBucket('hooks')).data).toMatchObject({
      public: false,
      file_size_limit: 2_000_000,
      allowed_mime_types: ['text/plain'],
    })
  })

  it.each([
    ['500B', 500],
    ['20KB', 20_000],
    ['1.5MB', 1_500_000],
    ['2GB', 2_000_000_000],
  ] as const)('reads the size limit %s of a bucket in decimal units', async (fileSizeLimit, bytes) => {
    await service().createBucket(`limited-${bytes}`, { public: false, fileSizeLimit })

    expect((await service().getBucket(`limited-${bytes}`)).data?.file_size_limit).toBe(bytes)
  })

  it('hides buckets from customers and refuses new buckets of customers', async () => {
    const { storage } = await angler()

    expect((await storage.createBucket('mine')).error).toMatchObject({ statusCode: '403' })
    expect((await storage.listBuckets()).data).toEqual([])
    expect((await service().listBuckets()).data?.map(({ id }) => id)).toContain('catches')
  })

  it('accepts only the file types that the bucket allows and checks the file’s content', async () => {
    const { open } = await angler()
    const picture = await sharp({ create: { width: 9, height: 6, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()

    const good = await open.upload('fish.png', picture, { contentType: 'image/png' })
    const named = await open.upload('page.png', '<script>alert(1)</script>', { contentType: 'image/png' })
    const page = await open.upload('page.html', '<script>alert(1)</script>', { contentType: 'text/html' })
    const blob = await open.upload('fish.jpg', new Blob([picture], { type: 'image/jpeg' }))

    expect([good.error, blob.error]).toEqual([null, null])
    for (const { error } of [named, page]) expect(error).toMatchObject({ statusCode: '415' })
    const { rows } = await auth.database.owner.query(
      `select metadata ->> 'mimetype' as type from storage.objects where name = 'fish.jpg'`,
    )
    expect(rows).toEqual([{ type: 'image/png' }])
  })

  it('rejects a file above the bucket’s size limit and removes the received bytes', async () => {
    const { open } = await angler()
    const before = await fileCount()
    const large = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(100_000)])

    const raw = await open.upload('large.jpg', large, { contentType: 'image/jpeg' })
    const form = await open.upload('large.jpg', new Blob([large], { type: 'image/jpeg' }))
    const stream = await open.upload('large.jpg', new Blob([large]).stream(), { contentType: 'image/jpeg' })

    for (const { error } of [raw, form, stream])
      expect(error).toMatchObject({ status: 400, statusCode: '413' })
    expect(await fileCount()).toBe(before)
  })
})

describe('invalid input', () => {
  it.each(['../up.txt', 'a/../b.txt', 'emoji 🎣.txt', 'new\nline', 'back\\slash', '#', 'nul\0'])(
    'refuses to upload a file named %j',
    async (name) => {
      const answer = await app.request(
        `${PUBLIC_URL}/storage/v1/object/catches/${encodeURIComponent(name)}`,
        {
          method: 'POST',
          body: 'x',
          headers: { authorization: `Bearer ${auth.keys.secret}` },
        },
      )

      expect(answer.status).toBe(400)
      expect((await answer.json()).code).toMatch(/^(InvalidKey|NoSuchKey|NoSuchRoute)$/)
    },
  )

  it('refuses a file name of more than 1024 characters', async () => {
    const catches = service().from('catches')
    const [longest, longer] = [1024, 1025].map((length) => 'x'.repeat(length))

    expect((await catches.upload(longest ?? '', 'x')).error).toBeNull()
    expect((await catches.upload(longer ?? '', 'x')).error).toMatchObject({ statusCode: '400' })
  })

  it('refuses an upload whose cache lifetime cannot be sent as a header', async () => {
    const { id, files } = await angler()

    const { error } = await files.upload(`${id}/a.txt`, new Blob(['a']), {
      cacheControl: '60\r\nSet-Cookie: a=b',
    })

    expect(error).toMatchObject({ message: 'Invalid cacheControl' })
    expect((await files.exists(`${id}/a.txt`)).data).toBe(false)
  })

  it('removes the received bytes of an aborted upload', async () => {
    const before = await fileCount()
    const headers = { authorization: `Bearer ${auth.keys.secret}` }
    const boundary = 'multipart/form-data; boundary=x'
    const start =
      '--x\r\nContent-Disposition: form-data; name=""; filename="a"\r\nContent-Type: text/plain\r\n\r\nhalf of i'

    for (const [type, text] of [
      ['text/plain', 'half of i'],
      [boundary, start],
    ] as const) {
      const breaking = new ReadableStream({
        pull(controller) {
          controller.enqueue(new TextEncoder().encode(text))
          controller.error(new Error('gone'))
        },
      })
      const answer = await app.request(`${PUBLIC_URL}/storage/v1/object/catches/broken.txt`, {
        method: 'POST',
        body: breaking,
        headers: { ...headers, 'content-type': type },
        duplex: 'half',
      } as RequestInit)
      expect(answer.status).toBe(400)
    }
    const cut = await app.request(`${PUBLIC_URL}/storage/v1/object/catches/broken.txt`, {
      method: 'POST',
      body: start,
      headers: { ...headers, 'content-type': boundary },
    })

    expect(await cut.json()).toMatchObject({ code: 'InvalidRequest' })
    expect(await fileCount()).toBe(before)
    expect((await service().from('catches').info('broken.txt')).error).toBeTruthy()
  })

  const FILE = '--x\r\nContent-Disposition: form-data; name=""; filename="a.txt"\r\n\r\nhi\r\n'
  it.each([
    ['whose part has no content', '--x\0\r\n--x--'],
    ['whose parts have no name', `--x\r\n\r\n${'x'.repeat(90_000)}\r\n--x--`],
    ['with a large part without a name after the file', `${FILE}--x\r\n\r\n${'x'.repeat(90_000)}\r\n--x--`],
  ])('refuses an upload form %s without waiting forever', async (_, body) => {
    const answer = await app.request(`${PUBLIC_URL}/storage/v1/object/catches/never.txt`, {
      method: 'POST',
      body,
      headers: {
        authorization: `Bearer ${auth.keys.secret}`,
        'content-type': 'multipart/form-data; boundary=x',
      },
    })

    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 'InvalidRequest' })
    expect((await service().from('catches').info('never.txt')).error).toBeTruthy()
  })

  it('stores the first file of a form, and no part whose type is malformed', async () => {
    const before = await fileCount()

    const answer = await postFile('catches/first.txt', {
      body: `${filePart('nonsense', 'no type')}${filePart('text/plain', 'first')}${filePart('text/csv', 'second')}--x--`,
      'content-type': 'multipart/form-data; boundary=x',
    })

    expect(answer.status).toBe(200)
    expect(await (await service().from('catches').download('first.txt')).data?.text()).toBe('first')
    expect((await service().from('catches').info('first.txt')).data).toMatchObject({
      contentType: 'text/plain',
    })
    expect(await fileCount()).toBe(before + 1)
  })

  it('does not let caches keep a file whose upload names no lifetime', async () => {
    await postFile('catches/uncached.txt', { body: 'x', 'content-type': 'text/plain' })

    expect((await service().from('catches').info('uncached.txt')).data).toMatchObject({
      cacheControl: 'no-cache',
    })
  })

  it.each([
    ['a lifetime that no header can carry', { 'cache-control': 'max-age=60é' }, 'InvalidRequest'],
    ['a type without a subtype', { 'content-type': 'nonsense' }, 'InvalidMimeType'],
    ['a number as metadata', { 'x-metadata': base64('42') }, 'InvalidRequest'],
    ['a zero byte in the metadata', { 'x-metadata': base64('{"a":"\\u0000"}') }, 'InvalidRequest'],
  ])('refuses an upload with %s', async (_, headers, code) => {
    const answer = await postFile('catches/refused.txt', { body: 'x', ...headers })

    expect(await answer.json()).toMatchObject({ code })
    expect((await service().from('catches').info('refused.txt')).error).toBeTruthy()
  })

  it('responds with 200 or 400 to any multipart form', async () => {
    const piece = fc.constantFrom(
      '--x',
      '--x--',
      '\r\n',
      '\r\n\r\n',
      '\n',
      '--',
      'Content-Disposition: form-data; name=""',
      '; filename="a.txt"',
      'Content-Type: text/plain',
      'Content-Disposition: form-data; name="metadata"',
      '{"a":1}',
      '\0',
      '🎣',
      'x'.repeat(90_000),
      // A complete part, because the pieces above rarely form one.
      FILE,
      '\r\n--x\r\n',
      '\r\n--x--\r\n',
    )
    const form = fc.array(fc.oneof(piece, fc.string({ unit: 'binary' })), { maxLength: 14 })
    await fc.assert(
      fc.asyncProperty(form, async (pieces) => {
        const answer = await app.request(`${PUBLIC_URL}/storage/v1/object/catches/form.txt`, {
          method: 'POST',
          body: pieces.join(''),
          headers: {
            authorization: `Bearer ${auth.keys.secret}`,
            'content-type': 'multipart/form-data; boundary=x',
            'x-upsert': 'true',
          },
        })
        expect([200, 400]).toContain(answer.status)
      }),
      runs(100),
    )
  })

  it.each([
    ['/object/list/catches', '{"prefix":"\\u0000"}'],
    ['/object/list/catches', '{"limit":-1}'],
    ['/object/list/catches', 'no json'],
    ['/object/move', '{}'],
    ['/object/sign/catches/a.txt', '{"expiresIn":0}'],
  ])('responds to POST %s %s with a protocol error', async (path, body) => {
    const answer = await app.request(`${PUBLIC_URL}/storage/v1${path}`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${auth.keys.secret}` },
    })

    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ statusCode: '400', code: 'InvalidRequest' })
  })

  it.each(['garbage', 'a.b.c', 'sb_secret_guess'])(
    'responds to the bearer token %s with a protocol error',
    async (bearer) => {
      const answer = await app.request(`${PUBLIC_URL}/storage/v1/object/list/catches`, {
        method: 'POST',
        body: '{}',
        headers: { authorization: `Bearer ${bearer}` },
      })

      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ code: 'InvalidJWT' })
    },
  )
})
