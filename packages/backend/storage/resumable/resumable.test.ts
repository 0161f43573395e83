import { randomBytes } from 'node:crypto'
import { Upload, type UploadOptions } from 'tus-js-client'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { StorageError } from '../errors.ts'
import { sweepFiles } from '../sweep-files.ts'
import {
  STORED,
  startUpload,
  type StartUpload,
  uploadUrlOf,
  metadataHeader,
  offsetOf,
  openPart,
  openTusService,
  PART,
  sendPart,
  TUS,
  type TusService,
} from './testing/tus-service.ts'

let tus: TusService
beforeAll(async () => {
  tus = await openTusService({
    maxFileBytes: 1_000_000,
    unfinished: { uploadsPerCaller: 4, bytes: 8_000_000 },
  })
  await tus.auth.database.owner.query(`
    insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
      ('catches', 'catches', false, null, null),
      ('photos', 'photos', true, 100000, '{image/*}'),
      ('doomed', 'doomed', true, null, null),
      ('films', 'films', true, 2000000, null);
    create policy add_own on storage.objects for insert to authenticated
      with check (bucket_id = 'catches' and (storage.foldername(name))[1] = (select auth.uid())::text
        and storage.operation() like 'storage.tus.upload.%');
    create policy read_own on storage.objects for select to authenticated using (bucket_id = 'catches');
    create policy change_own on storage.objects for update to authenticated using (bucket_id = 'catches');
    create policy add_photo on storage.objects for insert to anon with check (bucket_id = 'photos')`)
})
afterEach(() => tus.clear())
afterAll(async () => {
  await tus.close()
  expect(tus.failures).toEqual([])
})

const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), randomBytes(50_000)])
const name = () => `${crypto.randomUUID()}.jpg`

/** Creates an upload, by default with the secret key, and returns its URL. */
const started = async (asked: Partial<StartUpload> = {}) =>
  uploadUrlOf(
    tus.endpoint,
    await startUpload(tus.endpoint, {
      headers: tus.secret,
      bucket: 'catches',
      path: name(),
      size: 6,
      ...asked,
    }),
  )

async function stored(bucket: string, path: string): Promise<Buffer> {
  const { data, error } = await tus.service.storage.from(bucket).download(path)
  if (error) throw error
  return Buffer.from(await data.arrayBuffer())
}

function sendWithClient(content: Buffer, options: UploadOptions): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const upload = new Upload(content, {
      endpoint: tus.endpoint,
      retryDelays: [],
      onSuccess: () => resolve(upload),
      onError: reject,
      ...options,
    })
    upload.start()
  })
}

describe('tus-js-client', () => {
  it.each([
    ['in one part', {}],
    ['in parts of 8 kB', { chunkSize: 8192 }],
    ['with the first bytes in the creation', { uploadDataDuringCreation: true, chunkSize: 20_000 }],
    ['by POST with X-HTTP-Method-Override', { overridePatchMethod: true }],
  ])('uploads a file with tus-js-client %s', async (...[, options]) => {
    const { id, headers } = await tus.angler()
    const path = `${id}/${name()}`
    const metadata = {
      bucketName: 'catches',
      objectName: path,
      contentType: 'image/jpeg',
      cacheControl: '3600',
      metadata: '{"boat":"Bona"}',
    }

    await sendWithClient(jpeg, { headers, metadata, ...options })

    expect((await stored('catches', path)).equals(jpeg)).toBe(true)
    expect((await tus.service.storage.from('catches').info(path)).data).toMatchObject({
      size: jpeg.length,
      contentType: 'image/jpeg',
      cacheControl: 'max-age=3600',
      metadata: { boat: 'Bona' },
    })
    const { rows } = await tus.auth.database.owner.query(
      'select owner_id from storage.objects where name = $1',
      [path],
    )
    expect(rows).toEqual([{ owner_id: id }])
    expect(await tus.unfinishedBytes()).toBe(0)
  })

  it('uploads an empty file with tus-js-client', async () => {
    const path = name()
    const metadata = { bucketName: 'catches', objectName: path }
    await sendWithClient(Buffer.alloc(0), { headers: tus.secret, metadata })

    expect(await stored('catches', path)).toHaveLength(0)
  })

  it('resumes an upload from the upload URL at the stored offset', async () => {
    const path = name()
    const metadata = { bucketName: 'catches', objectName: path }
    const uploadUrl = await started({ path, size: jpeg.length })
    await sendPart(uploadUrl, { headers: tus.secret, offset: 0, body: jpeg.subarray(0, 30_000) })
    const sent: number[] = []

    await sendWithClient(jpeg, {
      headers: tus.secret,
      metadata,
      uploadUrl,
      onProgress: (bytes) => void sent.push(bytes),
    })

    expect(sent[0]).toBeGreaterThanOrEqual(30_000)
    expect((await stored('catches', path)).equals(jpeg)).toBe(true)
  })

  it('cancels an upload and removes the received bytes', async () => {
    const uploadUrl = await started({ size: jpeg.length })
    await sendPart(uploadUrl, { headers: tus.secret, offset: 0, body: jpeg.subarray(0, 100) })

    await Upload.terminate(uploadUrl, { headers: tus.secret, retryDelays: [] })

    expect(await tus.unfinishedBytes()).toBe(0)
    await expect(offsetOf(uploadUrl, tus.secret)).rejects.toThrow('404')
  })

  it('uploads a file with a signed token and no API key for the signer', async () => {
    const { client, id } = await tus.angler()
    const path = `${id}/${name()}`
    await tus.auth.database.owner.query(`
      create policy sign_own on storage.objects for insert to authenticated
        with check (bucket_id = 'catches' and storage.operation() = 'storage.object.upload_signed')`)
    const { data } = await client.storage.from('catches').createSignedUploadUrl(path)
    const headers = { 'x-signature': data?.token ?? '' }
    const metadata = { bucketName: 'catches', objectName: path }

    await sendWithClient(jpeg, { endpoint: `${tus.endpoint}/sign`, headers, metadata, chunkSize: 30_000 })

    expect((await stored('catches', path)).equals(jpeg)).toBe(true)
    const { rows } = await tus.auth.database.owner.query(
      'select owner_id from storage.objects where name = $1',
      [path],
    )
    expect(rows).toEqual([{ owner_id: id }])
  })
})

describe('interrupted uploads', () => {
  it('keeps an upload’s received bytes after a broken connection and accepts the rest', async () => {
    const path = name()
    const location = await started({ path, size: jpeg.length })
    const first = { headers: tus.secret, offset: 0, body: jpeg.subarray(0, 20_000) }
    const sending = openPart(location, first, jpeg.length)
    await vi.waitFor(async () => expect(await tus.unfinishedBytes()).toBe(20_000), STORED)
    sending.destroy()

    const offset = await offsetOf(location, tus.secret)
    expect(offset).toBe(20_000)
    const rest = await sendPart(location, { headers: tus.secret, offset, body: jpeg.subarray(offset) })

    expect(rest.status).toBe(204)
    expect(rest.headers.get('upload-offset')).toBe(String(jpeg.length))
    expect((await stored('catches', path)).equals(jpeg)).toBe(true)
  })

  it('resumes an upload at once even if the previous connection still looks open', async () => {
    const path = name()
    const location = await started({ path, size: jpeg.length })
    const former = openPart(
      location,
      { headers: tus.secret, offset: 0, body: jpeg.subarray(0, 20_000) },
      jpeg.length,
    )
    const refused = new Promise<number>((resolve) =>
      former.on('response', (answer) => resolve(answer.resume().statusCode ?? 0)),
    )
    await vi.waitFor(async () => expect(await tus.unfinishedBytes()).toBe(20_000), STORED)

    expect(await offsetOf(location, tus.secret)).toBe(20_000)
    expect(await refused).toBe(423)
    await sendPart(location, { headers: tus.secret, offset: 20_000, body: jpeg.subarray(20_000) })

    expect((await stored('catches', path)).equals(jpeg)).toBe(true)
    former.destroy()
  })

  it('takes an upload over from another process, which receives nothing more of it', async () => {
    const path = name()
    const location = await started({ path, size: jpeg.length })
    const first = { headers: tus.secret, offset: 0, body: jpeg.subarray(0, 20_000) }
    const former = openPart(location, first, jpeg.length)
    const refused = new Promise<number>((resolve) =>
      former.on('response', (answer) => resolve(answer.resume().statusCode ?? 0)),
    )
    await vi.waitFor(async () => expect(await tus.unfinishedBytes()).toBe(20_000), STORED)
    // The connection of the former process stays open.
    tus.restart()

    expect(await offsetOf(location, tus.secret)).toBe(20_000)
    expect(await refused).toBe(423)
    await sendPart(location, { headers: tus.secret, offset: 20_000, body: jpeg.subarray(20_000) })

    expect((await stored('catches', path)).equals(jpeg)).toBe(true)
    former.destroy()
  })

  it('takes an upload over from a process that still receives another upload', async () => {
    const path = name()
    const [location, other] = [await started({ path }), await started({ size: jpeg.length })]
    const receiving = openPart(
      other,
      { headers: tus.secret, offset: 0, body: jpeg.subarray(0, 20_000) },
      jpeg.length,
    )
    await vi.waitFor(async () => expect(await tus.unfinishedBytes()).toBe(20_000), STORED)
    await sendPart(location, { headers: tus.secret, offset: 0, body: Buffer.from('kab') })
    tus.restart()

    await sendPart(location, { headers: tus.secret, offset: 3, body: Buffer.from('els') })

    expect(await stored('catches', path)).toEqual(Buffer.from('kabels'))
    receiving.destroy()
  })

  it('reports an upload as finished when only the last response was lost', async () => {
    const path = name()
    const location = await started({ path })
    await sendPart(location, { headers: tus.secret, offset: 0, body: Buffer.from('kabels') })

    expect(await offsetOf(location, tus.secret)).toBe(6)
    const again = await sendPart(location, { headers: tus.secret, offset: 6, body: Buffer.alloc(0) })
    expect(again.status).toBe(204)
    expect(await stored('catches', path)).toEqual(Buffer.from('kabels'))
  })

  it('stores a completely received file on the next HEAD request after a failure', async () => {
    const path = name()
    const location = await started({ path })
    const { owner } = tus.auth.database
    await owner.query(`
      create function fail() returns trigger language plpgsql as $$ begin raise disk_full; end $$;
      create trigger fail before insert on storage.objects for each row
        when (new.version <> 'attempt') execute function fail()`)
    const lost = await sendPart(location, { headers: tus.secret, offset: 0, body: Buffer.from('kabels') })
    await owner.query('drop trigger fail on storage.objects; drop function fail')
    expect(lost.status).toBe(507)
    expect(tus.failures.splice(0)).toHaveLength(1)

    expect(await offsetOf(location, tus.secret)).toBe(6)
    expect(await stored('catches', path)).toEqual(Buffer.from('kabels'))
  })

  it.each([
    ['cannot be reached', 'ServiceUnavailable', 503],
    ['is full', 'InsufficientStorage', 507],
  ] as const)('keeps a completely received file while the storage %s', async (...[, code, status]) => {
    const path = name()
    const location = await started({ path })
    vi.spyOn(tus.files, 'write').mockRejectedValueOnce(new StorageError(code))

    const lost = await sendPart(location, { headers: tus.secret, offset: 0, body: Buffer.from('kabels') })

    expect(lost.status).toBe(status)
    expect(await offsetOf(location, tus.secret)).toBe(6)
    expect(await stored('catches', path)).toEqual(Buffer.from('kabels'))
  })
})

describe('the protocol', () => {
  it('lists the tus version and extensions on an OPTIONS request', async () => {
    const answer = await fetch(tus.endpoint, { method: 'OPTIONS' })

    expect(answer.status).toBe(204)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'tus-resumable': '1.0.0',
      'tus-version': '1.0.0',
      'tus-extension': 'creation,creation-with-upload,termination,expiration',
      'tus-max-size': '1000000',
    })
  })

  it('lets pages of other origins send upload parts and read the response headers', async () => {
    const preflight = await fetch(`${tus.endpoint}/some-upload`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'tus-resumable,upload-offset,content-type',
      },
    })
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PATCH')
    expect(preflight.headers.get('access-control-allow-headers')).toContain('upload-offset')

    const answer = await fetch(await started(), { method: 'HEAD', headers: { ...TUS, ...tus.secret } })
    const exposed = answer.headers.get('access-control-expose-headers')?.toLowerCase().split(',')
    expect(exposed).toEqual(
      expect.arrayContaining([
        'location',
        'upload-offset',
        'upload-length',
        'upload-metadata',
        'upload-expires',
        'tus-resumable',
        'tus-version',
        'tus-extension',
        'tus-max-size',
      ]),
    )
  })

  it('reports an upload’s offset, length, metadata and expiry without caching', async () => {
    const path = name()
    const location = await started({ path })

    const answer = await fetch(location, { method: 'HEAD', headers: { ...TUS, ...tus.secret } })

    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'no-store',
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'upload-length': '6',
      'upload-metadata': metadataHeader({ bucketName: 'catches', objectName: path }),
    })
    const hours = (Date.parse(answer.headers.get('upload-expires') ?? '') - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(23.9)
    expect(hours).toBeLessThan(24.1)
  })

  it('refuses to cancel a finished upload', async () => {
    const path = name()
    const location = await started({ path })
    await sendPart(location, { headers: tus.secret, offset: 0, body: Buffer.from('kabels') })

    const answer = await fetch(location, { method: 'DELETE', headers: { ...TUS, ...tus.secret } })

    expect([answer.status, await answer.text()]).toEqual([400, 'The upload is finished'])
    expect(await stored('catches', path)).toEqual(Buffer.from('kabels'))
  })

  it('creates upload URLs with at least 128 random bits', async () => {
    const secrets = await Promise.all([started(), started()])

    for (const location of secrets) expect(location).toMatch(/\/[\w-]{43}$/)
    expect(new Set(secrets).size).toBe(2)
  })

  interface Refusal {
    headers?: Record<string, string>
    method?: string
    body?: string
    status: number
  }
  const part = { ...PART, 'upload-offset': '0' }
  it.each<[string, Refusal]>([
    ['another version', { headers: { 'tus-resumable': '0.2.2' }, status: 412 }],
    ['no version', { headers: { 'tus-resumable': '' }, status: 412 }],
    ['another content type', { headers: { ...part, 'content-type': 'image/jpeg' }, status: 415 }],
    ['no offset', { headers: PART, status: 400 }],
    ['a negative offset', { headers: { ...part, 'upload-offset': '-1' }, status: 400 }],
    ['an offset beyond the received bytes', { headers: { ...part, 'upload-offset': '3' }, status: 409 }],
    ['more bytes than were announced', { headers: part, body: 'kabeljou', status: 413 }],
    ['the method GET', { method: 'GET', status: 404 }],
    ['POST without an override header', { method: 'POST', status: 404 }],
  ])(
    'refuses an upload request with %s',
    async (...[, { method = 'PATCH', headers = TUS, body, status }]) => {
      const location = await started()

      const answer = await fetch(location, { method, headers: { ...TUS, ...tus.secret, ...headers }, body })

      expect(answer.status).toBe(status)
      expect(answer.headers.get('tus-resumable')).toBe('1.0.0')
      expect(await offsetOf(location, tus.secret)).toBe(0)
      await fetch(location, { method: 'DELETE', headers: { ...TUS, ...tus.secret } })
    },
  )

  it('refuses a part that starts before the end of the received bytes', async () => {
    const location = await started()
    const start = { headers: tus.secret, offset: 0, body: Buffer.from('kab') }
    await sendPart(location, start)

    expect((await sendPart(location, start)).status).toBe(409)
    expect(await offsetOf(location, tus.secret)).toBe(3)
  })

  it('refuses more upload bytes than announced in a chunked request', async () => {
    const location = await started()
    const body = new Blob(['kabel', 'jou']).stream()

    const init = { method: 'PATCH', headers: { ...part, ...tus.secret }, body, duplex: 'half' }
    const status = await fetch(location, init).then(
      (answer) => answer.status,
      () => 'hung up',
    )

    expect([413, 'hung up']).toContain(status)
    expect(await offsetOf(location, tus.secret)).toBeLessThan(6)
  })

  it.each<[string, Record<string, string>, number, string]>([
    ['no length', { 'upload-length': '' }, 400, 'Invalid Upload-Length header'],
    [
      'a deferred length',
      { 'upload-length': '', 'upload-defer-length': '1' },
      400,
      'Invalid Upload-Length header',
    ],
    ['a length that is not a number', { 'upload-length': '1e3' }, 400, 'Invalid Upload-Length header'],
    [
      'a length above the maximum file size',
      { 'upload-length': '1000001' },
      413,
      'The object exceeded the maximum allowed size',
    ],
    [
      'a length above the maximum file size for a bucket with a higher limit',
      {
        'upload-length': '1000001',
        'upload-metadata': metadataHeader({ bucketName: 'films', objectName: 'a' }),
      },
      413,
      'The object exceeded the maximum allowed size',
    ],
    [
      'metadata that is not Base64',
      { 'upload-metadata': 'bucketName ?' },
      400,
      'Invalid Upload-Metadata header',
    ],
    [
      'the same metadata twice',
      { 'upload-metadata': 'a YQ==,a YQ==' },
      400,
      'Invalid Upload-Metadata header',
    ],
    ['no bucket', { 'upload-metadata': metadataHeader({ objectName: 'a' }) }, 404, 'Bucket not found'],
    [
      'an unknown bucket',
      { 'upload-metadata': metadataHeader({ bucketName: 'none', objectName: 'a' }) },
      404,
      'Bucket not found',
    ],
    [
      'a file name that leaves the folder',
      { 'upload-metadata': metadataHeader({ bucketName: 'catches', objectName: '../a' }) },
      400,
      'Invalid key: ../a',
    ],
    [
      'a length above the bucket’s limit',
      {
        'upload-length': '100001',
        'upload-metadata': metadataHeader({
          bucketName: 'photos',
          objectName: 'a',
          contentType: 'image/png',
        }),
      },
      413,
      'The object exceeded the maximum allowed size',
    ],
    [
      'a content type that the bucket does not allow',
      {
        'upload-metadata': metadataHeader({
          bucketName: 'photos',
          objectName: 'a',
          contentType: 'text/html',
        }),
      },
      415,
      'mime type text/html is not supported',
    ],
    [
      'file metadata that is not a JSON object',
      { 'upload-metadata': metadataHeader({ bucketName: 'catches', objectName: 'a', metadata: '[' }) },
      400,
      'The metadata is not a JSON object',
    ],
  ])('refuses to create an upload with %s', async (...[, headers, status, message]) => {
    const plain = {
      'upload-length': '6',
      'upload-metadata': metadataHeader({ bucketName: 'catches', objectName: name() }),
    }
    const answer = await fetch(tus.endpoint, {
      method: 'POST',
      headers: { ...TUS, ...tus.secret, ...plain, ...headers },
    })

    expect([answer.status, await answer.text()]).toEqual([status, message])
    expect(answer.headers.get('location')).toBeNull()
  })
})

describe('rights', () => {
  it.each([
    ['a visitor where the policies let only accounts write', async () => tus.visitor, 403],
    ['an account in the folder of another account', async () => (await tus.angler()).headers, 403],
    ['a caller with an unknown key', async () => ({ apikey: 'sb_publishable_wrong' }), 400],
    ['a caller without a key', async () => ({}), 400],
  ])('refuses to create an upload for %s', async (...[, headersOf, status]) => {
    const headers: Record<string, string> = await headersOf()
    const asked = { headers, bucket: 'catches', path: 'someone-else/a', size: 6 }

    expect((await startUpload(tus.endpoint, asked)).status).toBe(status)
  })

  it('hides an account’s unfinished upload from all other callers', async () => {
    const [owner, other] = [await tus.angler(), await tus.angler()]
    const location = await started({ headers: owner.headers, path: `${owner.id}/a.txt` })

    for (const headers of [other.headers, tus.visitor, tus.secret]) {
      const head = await fetch(location, { method: 'HEAD', headers: { ...TUS, ...headers } })
      const part = await sendPart(location, { headers, offset: 0, body: Buffer.from('kabels') })
      const cancelled = await fetch(location, { method: 'DELETE', headers: { ...TUS, ...headers } })
      const signed = await fetch(location.replace('/resumable/', '/resumable/sign/'), {
        method: 'HEAD',
        headers: { ...TUS, 'x-signature': 'none' },
      })
      expect([head.status, part.status, cancelled.status, signed.status]).toEqual([404, 404, 404, 404])
    }
    expect(await offsetOf(location, owner.headers)).toBe(0)
  })

  it('lets a visitor continue an upload with the upload URL alone', async () => {
    const path = name()
    const asked = { headers: tus.visitor, bucket: 'photos', path, more: { contentType: 'image/jpeg' } }
    const location = await started({ ...asked, size: jpeg.length })
    await sendPart(location, { headers: tus.visitor, offset: 0, body: jpeg.subarray(0, 9) })

    const rest = await sendPart(location, { headers: tus.visitor, offset: 9, body: jpeg.subarray(9) })

    expect(rest.status).toBe(204)
    expect((await stored('photos', path)).equals(jpeg)).toBe(true)
  })

  it('refuses the next part of an upload after the rights were revoked', async () => {
    const { id, headers } = await tus.angler()
    const location = await started({ headers, path: `${id}/a.txt` })
    const { owner } = tus.auth.database
    await owner.query(`create policy away on storage.objects as restrictive for insert to authenticated
      with check (storage.operation() <> 'storage.tus.upload.part')`)

    const answer = await sendPart(location, { headers, offset: 0, body: Buffer.from('kabels') })

    await owner.query('drop policy away on storage.objects')
    expect(answer.status).toBe(403)
    expect(await offsetOf(location, headers)).toBe(0)
  })

  it('replaces an existing file only with the header x-upsert', async () => {
    const path = name()
    const asked = { headers: tus.secret, bucket: 'catches', path, size: 6, body: Buffer.from('kabels') }
    expect((await startUpload(tus.endpoint, asked)).status).toBe(201)

    expect((await startUpload(tus.endpoint, asked)).status).toBe(409)
    const upsert = { ...asked, headers: { ...tus.secret, 'x-upsert': 'true' }, body: Buffer.from('garric') }
    expect((await startUpload(tus.endpoint, upsert)).status).toBe(201)
    expect(await stored('catches', path)).toEqual(Buffer.from('garric'))
  })

  it.each([
    ['no token', {}, 400, 'Missing x-signature header'],
    ['a forged token', { 'x-signature': 'a.b.c' }, 400, 'Invalid JWT'],
  ])('refuses a signed upload with %s', async (...[, headers, status, message]) => {
    const asked = { headers, bucket: 'catches', path: 'a', size: 6 }
    const answer = await startUpload(`${tus.endpoint}/sign`, asked)

    expect([answer.status, await answer.text()]).toEqual([status, message])
  })

  it('refuses an upload with the signed token of another file', async () => {
    const { data } = await tus.service.storage.from('catches').createSignedUploadUrl(name())
    const asked = { headers: { 'x-signature': data?.token ?? '' }, bucket: 'catches', path: name(), size: 6 }

    expect((await startUpload(`${tus.endpoint}/sign`, asked)).status).toBe(400)
  })

  it('refuses an upload with the token of a signed URL to read the file', async () => {
    const path = name()
    const files = tus.service.storage.from('catches')
    await files.upload(path, 'kabels')
    const { data } = await files.createSignedUrl(path, 60)
    const token = new URL(data?.signedUrl ?? '').searchParams.get('token') ?? ''

    const asked = { headers: { 'x-signature': token }, bucket: 'catches', path, size: 6 }
    const answer = await startUpload(`${tus.endpoint}/sign`, asked)

    expect(token).not.toBe('')
    expect([answer.status, await answer.text()]).toEqual([400, 'Invalid JWT'])
  })
})

describe('content', () => {
  it('refuses and removes an uploaded file whose content type the bucket does not allow', async () => {
    const path = name()
    const asked = { headers: tus.visitor, bucket: 'photos', path, more: { contentType: 'image/jpeg' } }
    const location = await started({ ...asked, size: 100 })

    const answer = await sendPart(location, {
      headers: tus.visitor,
      offset: 0,
      body: Buffer.alloc(100, 'text'),
    })

    expect(answer.status).toBe(415)
    await expect(offsetOf(location, tus.visitor)).rejects.toThrow('404')
    await expect(stored('photos', path)).rejects.toThrow('Object not found')
    expect(await tus.unfinishedBytes()).toBe(0)
  })

  it('stores the content type that matches the file’s content, not the announced type', async () => {
    const path = name()
    const asked = { headers: tus.visitor, bucket: 'photos', path, more: { contentType: 'image/png' } }
    await startUpload(tus.endpoint, { ...asked, size: jpeg.length, body: jpeg })

    expect((await tus.service.storage.from('photos').info(path)).data?.contentType).toBe('image/jpeg')
  })

  it('deletes the unfinished uploads of a deleted bucket', async () => {
    const location = await started({ bucket: 'doomed' })
    await tus.service.storage.deleteBucket('doomed')

    const answer = await sendPart(location, { headers: tus.secret, offset: 0, body: Buffer.from('kabels') })
    expect(answer.status).toBe(404)
  })
})

describe('limits', () => {
  it('limits the number of unfinished uploads per account', async () => {
    const { id, headers } = await tus.angler()
    const asked = { headers, bucket: 'catches', size: 6 }
    const one = await started({ ...asked, path: `${id}/0` })
    for (const path of ['1', '2', '3']) await started({ ...asked, path: `${id}/${path}` })

    const refused = await startUpload(tus.endpoint, { ...asked, path: `${id}/4` })
    expect([refused.status, await refused.text()]).toEqual([
      429,
      'Too many unfinished uploads; finish or cancel some, or try again later',
    ])
    await fetch(one, { method: 'DELETE', headers: { ...TUS, ...headers } })
    expect((await startUpload(tus.endpoint, { ...asked, path: `${id}/4` })).status).toBe(201)
  })

  it('does not count finished uploads towards the limit of unfinished ones', async () => {
    const { id, headers } = await tus.angler()
    const statuses: number[] = []
    for (let count = 0; count < 5; count += 1) {
      const asked = {
        headers,
        bucket: 'catches',
        path: `${id}/${count}`,
        size: 6,
        body: Buffer.from('kabels'),
      }
      statuses.push((await startUpload(tus.endpoint, asked)).status)
    }

    expect(statuses).toEqual(Array(5).fill(201))
  })

  it('limits the number of unfinished uploads of visitors per network', async () => {
    const from = (address: string) => ({
      headers: { ...tus.visitor, 'x-forwarded-for': address },
      bucket: 'photos',
      size: 6,
      more: { contentType: 'image/jpeg' },
    })
    for (let count = 0; count < 4; count += 1) await started({ ...from('2001:db8::7'), path: name() })

    const sameNetwork = await startUpload(tus.endpoint, { ...from('2001:db8:0:9::8'), path: name() })
    const another = await startUpload(tus.endpoint, { ...from('2001:db8:1::8'), path: name() })
    expect([sameNetwork.status, another.status]).toEqual([429, 201])
  })

  it('limits the number of unfinished uploads of all accounts of a network', async () => {
    const [one, another] = [await tus.angler(), await tus.angler()]
    const asked = ({ id, headers }: typeof one, address: string) => ({
      headers: { ...headers, 'x-forwarded-for': address },
      bucket: 'catches',
      path: `${id}/${name()}`,
      size: 6,
    })
    for (let count = 0; count < 4; count += 1) await started(asked(one, '198.51.100.7'))

    const sameNetwork = await startUpload(tus.endpoint, asked(another, '198.51.100.7'))
    const otherNetwork = await startUpload(tus.endpoint, asked(another, '198.51.100.8'))
    const sameAccount = await startUpload(tus.endpoint, asked(one, '198.51.100.8'))
    expect([sameNetwork.status, otherNetwork.status, sameAccount.status]).toEqual([429, 201, 429])
  })

  it('lets accounts upload to one bucket while others have used up the space of another bucket', async () => {
    const { owner } = tus.auth.database
    await owner.query(`create policy add_film on storage.objects for insert to authenticated
      with check (bucket_id = 'films')`)
    const upload = async (network: number, bucket: string) => {
      const { id, headers } = await tus.angler()
      const asked = { bucket, path: `${id}/${name()}`, size: 1_000_000 }
      const from = { ...headers, 'x-forwarded-for': `203.0.113.${network}` }
      return (await startUpload(tus.endpoint, { ...asked, headers: from })).status
    }
    const statuses: number[] = []
    while (!statuses.includes(503)) statuses.push(await upload(statuses.length, 'films'))

    expect(await upload(99, 'catches')).toBe(201)
    expect(statuses).toEqual([201, 201, 201, 201, 201, 503])
  })

  it('limits the total announced size of unfinished uploads', async () => {
    const asked = { headers: tus.secret, bucket: 'catches', size: 1_000_000 }
    for (let count = 0; count < 8; count += 1) await started({ ...asked, path: name() })

    const refused = await startUpload(tus.endpoint, { ...asked, path: name() })
    expect([refused.status, await refused.text()]).toEqual([
      503,
      'Too many uploads are unfinished; try again later',
    ])
  })

  it('reserves half of the upload space for callers with an account', async () => {
    const asked = { bucket: 'photos', size: 100_000, more: { contentType: 'image/jpeg' } }
    const from = (network: number) => ({
      ...asked,
      path: name(),
      headers: { ...tus.visitor, 'x-forwarded-for': `203.0.113.${network}` },
    })
    for (let network = 0; network < 40; network += 1) await started(from(network))

    expect((await startUpload(tus.endpoint, from(40))).status).toBe(503)
    expect((await startUpload(tus.endpoint, { ...asked, path: name(), headers: tus.secret })).status).toBe(
      201,
    )
  })

  it('enforces the upload limits when many uploads start concurrently', async () => {
    const { id, headers } = await tus.angler()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, count) =>
        startUpload(tus.endpoint, { headers, bucket: 'catches', size: 6, path: `${id}/${count}` }),
      ),
    )

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(4)
  })
})

it('responds with 410 to an expired upload and removes the received bytes later', async () => {
  const { owner } = tus.auth.database
  const old = await started({ size: 10 })
  const young = await started({ size: 10 })
  for (const location of [old, young])
    await sendPart(location, { headers: tus.secret, offset: 0, body: Buffer.from('kabel') })
  await owner.query(`update storage.resumable_uploads set expires_at = now() - interval '1 second'
    where created_at = (select created_at from storage.resumable_uploads where size = 10 order by created_at limit 1)`)
  await expect(offsetOf(old, tus.secret)).rejects.toThrow('410')
  expect(await tus.unfinishedBytes()).toBe(10)

  await sweepFiles({ owner, files: tus.files })

  await expect(offsetOf(old, tus.secret)).rejects.toThrow('404')
  expect(await offsetOf(young, tus.secret)).toBe(5)
  expect(await tus.unfinishedBytes()).toBe(5)
})
