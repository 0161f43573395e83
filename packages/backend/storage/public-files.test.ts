import { writeFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

import { loadClientKeys } from '#backend/auth/keys/client-keys.ts'
import { createTokenVerifier } from '#backend/auth/keys/token-verifier.ts'
import { bareDatabase, type TestDatabase } from '#backend/testing/database.ts'
import { openTestFiles, type TestFiles } from '#backend/testing/files.ts'
import { createStorage } from './create-storage.ts'
import { StorageError } from './errors.ts'
import { objectKey } from './objects/object-row.ts'
import { makePicture } from './render/make-picture.ts'
import { seedBucket } from './seed-bucket.ts'
import { anMp4, element, PLACE } from './testing/a-video.ts'

let test: TestDatabase
let stored: TestFiles
let folder: string
let storage: Hono
let secretKey: string

/** A WebM of one void element, a hundred bytes long. */
const video = Buffer.concat([
  Buffer.from('1a45dfa380ec80', 'hex'),
  element([0xec], Buffer.alloc(90, '0123456789')),
])

beforeAll(async () => {
  test = await bareDatabase()
  stored = await openTestFiles()
  folder = join(stored.dataDir, 'checkout')
  await mkdir(folder)
  await writeFile(join(folder, 'lure.jpg'), await aPhotograph())
  await writeFile(join(folder, 'spray.jpg'), await aDetailedPhotograph())
  await writeFile(join(folder, 'video.webm'), video)
  await writeFile(join(folder, 'page.txt'), 'not a picture')
  await writeFile(join(folder, 'walk.mp4'), anMp4())
  await writeFile(join(folder, 'walk.txt'), anMp4())
  await writeFile(join(folder, 'flight.mp4'), anMp4('meta'))
  await writeFile(join(folder, 'phone.heic'), await aHeic())
  await writeFile(join(folder, 'camera.webp'), 'FUJIFILMCCD-RAW with a place in it')
  await writeFile(join(folder, 'broken.mp4'), anMp4().subarray(0, 200))
  await seed()
  const log = { error: (fields: object) => expect.fail(JSON.stringify(fields)) }
  const { database } = test
  const keys = await loadClientKeys(database.owner)
  secretKey = keys.secret
  const verifyToken = createTokenVerifier(database.owner)
  storage = new Hono().route(
    '/storage/v1',
    createStorage({ database, files: stored.files, keys, verifyToken, log }),
  )
})
afterAll(async () => {
  await test.close()
  await stored.close()
})

function seed() {
  return seedBucket(
    { owner: test.database.owner, files: stored.files },
    { bucket: 'site', folder, path: 'hero' },
  )
}

async function versions() {
  return (await test.database.owner.query('select name, version from storage.objects order by name')).rows
}

/** A rotated photograph of 300 × 200 pixels with GPS position. */
function aPhotograph(): Promise<Buffer> {
  return sharp({ create: { width: 300, height: 200, channels: 3, background: 'teal' } })
    .withExif({ IFD3: { GPSLatitude: '33/1 36/1 0/1', GPSLatitudeRef: 'S' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
}

/** A photograph with much detail, whose size depends on the quality. */
function aDetailedPhotograph(): Promise<Buffer> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 }
  return sharp({ create: { width: 200, height: 300, channels: 3, background: 'teal', noise } })
    .jpeg()
    .toBuffer()
}

/** Like a phone's HEIC except for the codec: the library writes AV1 only; the metadata has the same location. */
async function aHeic(): Promise<Buffer> {
  const picture = await sharp(await aPhotograph())
    .withExif({ IFD0: { Model: 'PhoneOfThandi' } })
    .avif()
    .toBuffer()
  picture.write('heic', picture.indexOf('ftypavif') + 4)
  return picture
}

const get = (path: string, headers: Record<string, string> = {}) =>
  storage.request(`/storage/v1${path}`, { headers })

/** Stores photographs whose metadata was never removed. Returns their paths. */
async function addPictures(count: number): Promise<string[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const version = crypto.randomUUID()
      await stored.files.write(objectKey(version), await aPhotograph())
      await test.database.owner.query(
        `insert into storage.objects (bucket_id, name, version, metadata)
         select bucket_id, $1, $1, metadata from storage.objects where name = 'hero/lure.jpg'`,
        [version],
      )
      return `/object/public/site/${version}`
    }),
  )
}

/** Returns the keys below a folder that contain `size`. */
async function picturesIn(prefix: string, size: string): Promise<string[]> {
  return (await Array.fromAsync(stored.files.keys(prefix))).filter((key) => key.includes(size))
}

/** Returns the size in bytes of a small, detailed picture for a browser with these headers. */
async function weightOf(headers: Record<string, string>): Promise<number> {
  const path = '/render/image/public/site/hero/spray.jpg?width=180'
  return (await (await get(path, { accept: 'image/avif', ...headers })).bytes()).length
}

describe('a public file', () => {
  it('serves a whole public file with content type and ETag', async () => {
    const answer = await get('/object/public/site/hero/video.webm')

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('video/webm')
    expect(answer.headers.get('etag')).toMatch(/^"[\da-f]{32}-public-face-\d+"$/)
    expect(answer.headers.get('accept-ranges')).toBe('bytes')
    expect(answer.headers.get('content-length')).toBe('100')
    expect(video.equals(await answer.bytes())).toBe(true)
  })

  it.each([
    ['bytes=10-19', '0123456789', 'bytes 10-19/100'],
    ['bytes=95-', '56789', 'bytes 95-99/100'],
    ['bytes=-3', '789', 'bytes 97-99/100'],
    ['bytes=98-500', '89', 'bytes 98-99/100'],
  ])('serves the range %s of a public file', async (range, text, contentRange) => {
    const answer = await get('/object/public/site/hero/video.webm', { range })

    expect(answer.status).toBe(206)
    expect(answer.headers.get('content-range')).toBe(contentRange)
    expect(await answer.text()).toBe(text)
  })

  it('responds with 416 to a range beyond the end of a public file', async () => {
    const answer = await get('/object/public/site/hero/video.webm', { range: 'bytes=100-' })

    expect(answer.status).toBe(416)
    expect(await answer.json()).toMatchObject({ statusCode: '416' })
  })

  it('serves the whole public file when If-Range names an older version', async () => {
    const answer = await get('/object/public/site/hero/video.webm', {
      range: 'bytes=0-9',
      'if-range': '"older"',
    })

    expect(answer.status).toBe(200)
  })

  it('serves the whole public file when the date in If-Range is older or newer than the file', async () => {
    const address = '/object/public/site/hero/video.webm'
    const { headers, body } = await get(address)
    await body?.cancel()
    const changedAt = Date.parse(headers.get('last-modified') ?? '')
    const statusAt = async (time: number) => {
      const answer = await get(address, { range: 'bytes=0-9', 'if-range': new Date(time).toUTCString() })
      await answer.body?.cancel()
      return answer.status
    }

    expect(await statusAt(changedAt)).toBe(206)
    expect([await statusAt(changedAt - 60_000), await statusAt(changedAt + 60_000)]).toEqual([200, 200])
  })

  it('responds with 304 when the client has the current version of a file', async () => {
    const first = await get('/object/public/site/hero/video.webm')
    await first.body?.cancel()

    const byTag = await get('/object/public/site/hero/video.webm', {
      'if-none-match': first.headers.get('etag') ?? '',
    })
    const byWeakenedTag = await get('/object/public/site/hero/video.webm', {
      'if-none-match': `"older", W/${first.headers.get('etag')}`,
    })
    const byTime = await get('/object/public/site/hero/video.webm', {
      'if-modified-since': first.headers.get('last-modified') ?? '',
    })

    expect([byTag.status, byWeakenedTag.status, byTime.status]).toEqual([304, 304, 304])
    expect(await byTag.text()).toBe('')
  })

  it('offers a file as a download with the requested name', async () => {
    const answer = await get('/object/public/site/hero/video.webm?download=h%C3%A9ro%20%F0%9F%8E%A3.webm')

    expect(answer.headers.get('content-disposition')).toBe(
      "attachment; filename*=UTF-8''h%C3%A9ro%20%F0%9F%8E%A3.webm",
    )
    await answer.body?.cancel()
  })

  it('offers a file as a download with its own name when no name is requested', async () => {
    const answer = await get('/object/public/site/hero/video.webm?download=')

    expect(answer.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''video.webm")
    await answer.body?.cancel()
  })

  it('responds to a HEAD request for a file with headers and no body', async () => {
    const answer = await storage.request('/storage/v1/object/public/site/hero/video.webm', { method: 'HEAD' })

    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-length')).toBe('100')
    expect(await answer.text()).toBe('')
  })

  it('sandboxes uploaded markup so that no script runs on the shop’s origin', async () => {
    const answer = await get('/object/public/site/hero/page.txt')

    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    await answer.body?.cancel()
  })
})

describe('markup', () => {
  it.each([
    ['text/html', 'text/plain; charset=utf-8'],
    ['TEXT/HTML; charset=utf-8', 'text/plain; charset=utf-8'],
    ['application/xhtml+xml', 'text/plain; charset=utf-8'],
    ['text/xml', 'text/plain; charset=utf-8'],
    ['image/svg+xml', 'image/svg+xml'],
    ['text/css', 'text/css'],
  ])('serves an uploaded file of type %s as %s', async (uploaded, served) => {
    const name = crypto.randomUUID()
    await test.database.owner.query(
      `insert into storage.objects (bucket_id, name, version, metadata)
       select bucket_id, $1, version, metadata || jsonb_build_object('mimetype', $2::text)
       from storage.objects where name = 'hero/page.txt'`,
      [name, uploaded],
    )
    const answer = await get(`/object/public/site/${name}`)
    await answer.body?.cancel()

    expect(answer.headers.get('content-type')).toBe(served)
  })
})

describe('missing files', () => {
  it.each([
    ['/object/public/site/hero/none.webm', 'NoSuchKey', 'Object not found'],
    ['/object/public/site/hero/%F0%9F%8E%A3.webm', 'NoSuchKey', 'Object not found'],
    ['/object/public/site/..%2F..%2Fkeys.json', 'NoSuchKey', 'Object not found'],
    ['/object/public/site/hero%00/video.webm', 'NoSuchKey', 'Object not found'],
    ['/nothing/of/the/kind', 'NoSuchRoute', 'This path is not served'],
    ['/object/public/nowhere/video.webm', 'NoSuchBucket', 'Bucket not found'],
  ])('responds to the missing file %s with a protocol error', async (path, code, message) => {
    const answer = await get(path)

    expect(answer.status).toBe(400)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.json()).toMatchObject({ statusCode: '404', code, message })
  })

  it('does not resolve dot segments in URLs to files of other buckets', async () => {
    const answer = await get('/object/public/site/hero/%2e%2e/%2e%2e/video.webm')

    expect(await answer.json()).toMatchObject({ statusCode: '400', code: 'InvalidJWT' })
  })

  it('returns the same error for a private and a missing bucket', async () => {
    await test.database.owner.query(
      `insert into storage.buckets (id, name, public) values ('till', 'till', false)`,
    )

    expect(await (await get('/object/public/till/a')).json()).toEqual(
      await (await get('/object/public/none/a')).json(),
    )
  })
})

describe('metadata of public files', () => {
  it.each(['walk.mp4', 'walk.txt'])('strips the location from a public video named %s', async (name) => {
    const shown = Buffer.from(await (await get(`/object/public/site/hero/${name}`)).bytes())
    const part = await get(`/object/public/site/hero/${name}`, { range: 'bytes=4-7' })

    expect([shown.includes(PLACE), shown.includes('frames')]).toEqual([false, true])
    expect([part.status, await part.text()]).toEqual([206, 'ftyp'])
  })

  it('strips EXIF from a HEIC picture without changing the file’s length', async () => {
    const original = await aHeic()
    const answer = await get('/object/public/site/hero/phone.heic')
    const shown = Buffer.from(await answer.bytes())

    expect(original.includes('PhoneOfThandi')).toBe(true)
    expect([shown.includes('PhoneOfThandi'), shown.length]).toEqual([false, original.length])
  })

  it('strips a picture once when visitors request it at the same time', async () => {
    const [path = ''] = await addPictures(1)
    const write = vi.spyOn(stored.files, 'write')
    onTestFinished(() => write.mockRestore())

    const answers = await Promise.all(Array.from({ length: 20 }, async () => get(path)))
    const bodies = await Promise.all(answers.map((answer) => answer.bytes()))

    expect(write).toHaveBeenCalledOnce()
    for (const body of bodies) expect(body).toEqual(bodies[0])
  })

  it('strips no more than four pictures at once', async () => {
    const paths = await addPictures(8)
    const write = stored.files.write.bind(stored.files)
    const find = vi.spyOn(stored.files, 'find')
    const running = { now: 0, most: 0 }
    vi.spyOn(stored.files, 'write').mockImplementation(async (...file) => {
      running.now += 1
      running.most = Math.max(running.most, running.now)
      // Until every request has found that its copy is missing.
      await vi.waitFor(() => expect(find.mock.calls.length).toBeGreaterThanOrEqual(2 * paths.length))
      await write(...file)
      running.now -= 1
    })
    onTestFinished(() => void vi.restoreAllMocks())

    const answers = await Promise.all(paths.map(async (path) => get(path)))

    for (const answer of answers) await answer.body?.cancel()
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200))
    expect(running.most).toBeLessThanOrEqual(4)
  })

  it.each([
    ['flight.mp4', 'Only films of picture and sound are shown to the public'],
    ['camera.webp', 'Files of the type image/x-fuji-raf are not shown to the public'],
    ['broken.mp4', 'The file is damaged'],
  ])('refuses to serve the file %s because the metadata cannot be removed', async (name, message) => {
    const answer = await get(`/object/public/site/hero/${name}`)

    expect(await answer.json()).toMatchObject({ statusCode: '415', code: 'InvalidMimeType', message })
  })
})

describe('transformed pictures', () => {
  const picture = '/render/image/public/site/hero/lure.jpg'

  it.each([
    ['image/avif,image/webp,*/*', 'image/avif', 'heif'],
    ['image/webp,*/*', 'image/webp', 'webp'],
    ['*/*', 'image/jpeg', 'jpeg'],
  ])('serves a picture in the best format of Accept: %s', async (accept, contentType, format) => {
    const answer = await get(`${picture}?width=100`, { accept })

    expect(answer.headers.get('content-type')).toBe(contentType)
    expect(answer.headers.get('vary')).toBe('Accept, Save-Data, ECT')
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const { width, height, ...found } = await sharp(await answer.bytes()).metadata()
    expect({ width, height, format: found.format }).toEqual({ width: 100, height: 150, format })
  })

  it('removes EXIF and orientation from a resized picture', async () => {
    const answer = await get(`${picture}?width=100`)

    const { exif, orientation } = await sharp(await answer.bytes()).metadata()
    expect({ exif, orientation }).toEqual({ exif: undefined, orientation: undefined })
  })

  // covers S57
  it('serves smaller pictures to browsers that save data or have a slow connection', async () => {
    const full = await weightOf({ 'save-data': 'off' })

    expect(await weightOf({ 'save-data': 'on' })).toBeLessThan(full * 0.8)
    expect(await weightOf({ ect: '3g' })).toBeLessThan(full * 0.8)
  })

  it('never enlarges a picture beyond the original size', async () => {
    const answer = await get(`${picture}?width=2000`)

    expect((await sharp(await answer.bytes()).metadata()).width).toBe(200)
  })

  it('fits a picture into a size without cropping or padding when asked to contain it', async () => {
    const answer = await get(`${picture}?width=100&height=100&resize=contain`)

    const { width, height } = await sharp(await answer.bytes()).metadata()
    expect({ width, height }).toEqual({ width: 67, height: 100 })
  })

  it('renders a picture once for concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, async () => get(`${picture}?width=77`)))
    for (const answer of answers) await answer.body?.cancel()

    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    expect(await picturesIn('derivatives', '77x')).toHaveLength(1)
    expect(await Array.fromAsync(stored.files.keys('unfinished'))).toEqual([])
  })

  it('keeps at most two hundred sizes of a picture', async () => {
    const file = (await versions()).find(({ name }) => name === 'hero/lure.jpg')
    const sizes = `derivatives/${file?.version}`
    for (let size = 0; size < 205; size += 1)
      await stored.files.write(`${sizes}/${size}.webp`, new Uint8Array(1))

    await (await get(`${picture}?width=79`)).body?.cancel()

    const kept = await picturesIn(sizes, '')
    expect(kept).toHaveLength(200)
    expect(kept).toContainEqual(expect.stringContaining('79x'))
  })

  it('responds with 503 when too many pictures wait to be rendered', async () => {
    const held = Promise.withResolvers<void>()
    const requireSpace = vi.spyOn(stored.files, 'requireSpace').mockReturnValue(held.promise)
    const asked = Array.from({ length: 200 + availableParallelism() }, async (_, at) =>
      get(`${picture}?width=${1000 + at}`),
    )

    const first = await Promise.race(asked)
    // Nothing is rendered.
    held.reject(new StorageError('InvalidMimeType'))
    const answers = await Promise.all(asked)
    requireSpace.mockRestore()

    expect(first.status).toBe(503)
    expect(await first.json()).toMatchObject({ code: 'SlowDown' })
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400, 503]))
  })

  it('keeps the sizes that not everyone may read out of the folder that a bucket may open to everyone', async () => {
    const address = `${picture.replace('/public/', '/authenticated/')}?width=78`
    const answer = await get(address, { authorization: `Bearer ${secretKey}` })
    await answer.body?.cancel()

    expect(answer.status).toBe(200)
    expect(await picturesIn('derivatives', '78x')).toEqual([])
    expect(await picturesIn('private-derivatives', '78x')).toHaveLength(1)
  })

  it.each(['width=0', 'width=2501', 'width=1.5', 'width=two', 'quality=19', 'quality=101', 'resize=stretch'])(
    'refuses a picture transformation with %s',
    async (query) => {
      const answer = await get(`${picture}?${query}`)

      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ statusCode: '400', code: 'InvalidRequest' })
    },
  )

  it('refuses to resize a picture of more than fifty million pixels', async () => {
    const transformation = { resize: 'cover', quality: 80, width: 100 } as const
    const blank = sharp({ create: { width: 10_000, height: 5100, channels: 3, background: 'teal' } })
    const bomb = await blank.png().toBuffer()

    await expect(makePicture(bomb, { transformation, format: 'jpeg' })).rejects.toMatchObject({
      code: 'InvalidMimeType',
    })
  })

  it('refuses to transform a file that is not a picture', async () => {
    const answer = await get('/render/image/public/site/hero/page.txt?width=10')

    expect(await answer.json()).toMatchObject({ statusCode: '415', code: 'InvalidMimeType' })
  })
})

describe('seeding', () => {
  it('completes the empty folder of another process without changing the rows of the first one', async () => {
    const before = await versions()
    const other = await openTestFiles()
    const pictures = await readdir(folder)

    await seedBucket(
      { owner: test.database.owner, files: other.files },
      { bucket: 'site', folder, path: 'hero' },
    )

    expect(await versions()).toEqual(before)
    expect(await other.keys()).toHaveLength(pictures.length)
    await other.close()
  })

  it('skips unchanged seed files and replaces changed seed files', async () => {
    const before = await versions()

    await seed()
    const unchanged = await versions()
    await writeFile(join(folder, 'page.txt'), 'changed')
    await seed()

    expect(unchanged).toEqual(before)
    expect(await (await get('/object/public/site/hero/page.txt')).text()).toBe('changed')
    expect(await readFile(join(folder, 'page.txt'), 'utf8')).toBe('changed')
  })
})
