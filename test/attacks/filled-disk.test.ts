import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import { createApi } from '#server/api.ts'
import { shopLimits } from '#server/limits.ts'
import { aPhoto } from '#test/gallery-photo.ts'
import { openShop, type TestShop } from '#test/shop.ts'

let shop: TestShop
let warnings: string[]
let api: ReturnType<typeof createApi>
beforeAll(async () => {
  shop = await openShop({ trustProxy: 1 })
})
beforeEach(async () => {
  warnings = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
  api = createApi({
    settings: shop.settings,
    database: shop.database,
    keys: shop.keys,
    files: shop.files,
    log,
  })
  await shop.database.owner.query('delete from auth.rate_limits')
})
afterAll(() => shop.close())

/** Sets a bucket as if an address, or by default other addresses together, had uploaded this much today. */
function setLevel(bucket: string, level: number, subject = 'shop') {
  return shop.database.owner.query(
    `insert into auth.rate_limits (bucket, subject, level, updated_at) values ($1, $3, $2, now())
     on conflict on constraint rate_limits_pkey do update set level = $2`,
    [bucket, level, subject],
  )
}

async function upload(address: string, padding = Buffer.alloc(0)): Promise<{ status: number; text: string }> {
  const body = Buffer.concat([await aPhoto(), padding])
  const answer = await api.request(
    `${shop.settings.publicUrl}/storage/v1/object/gallery/${crypto.randomUUID()}-1.jpg`,
    {
      method: 'POST',
      headers: {
        apikey: shop.keys.publishable,
        'content-type': 'image/jpeg',
        'content-length': String(body.length),
        'x-forwarded-for': address,
      },
      body: new Uint8Array(body),
    },
  )
  return { status: answer.status, text: await answer.text() }
}

it('rejects photos from every network address once the gallery’s daily number of photos is reached', async () => {
  await setLevel(shopLimits.uploadsPerShop.bucket, shopLimits.uploadsPerShop.limit.tries - 1)

  expect((await upload('192.0.2.1')).status).toBe(200)
  const refused = await upload('192.0.2.2')

  expect(refused.status).toBe(429)
  expect(JSON.parse(refused.text)).toEqual({
    statusCode: '429',
    error: 'gallery_full',
    message: 'The gallery cannot accept more photos today. Please try again tomorrow.',
  })
})

it('rejects photos above the gallery’s daily bytes, and logs the rejection once', async () => {
  const { bucket, limit } = shopLimits.uploadedKilobytesPerShop
  // More than the daily limit, because the bucket drains 23 kB in each second of the test.
  await setLevel(bucket, limit.tries + 100_000)

  for (const address of ['192.0.2.3', '192.0.2.4']) expect((await upload(address)).status).toBe(429)

  expect(warnings.filter((line) => line.includes('the gallery has used up its uploads'))).toHaveLength(1)
})

it.each(['uploadsPerAddress', 'uploadedKilobytesPerAddress'] as const)(
  'leaves most of the gallery’s day to others when an address has used up its %s',
  async (name) => {
    const { bucket, limit } = shopLimits[name]
    const photo = await aPhoto()
    const announced = await announce({ length: photo.length })
    await setLevel(bucket, limit.tries * 1.1, '192.0.2.5')
    await shop.database.owner.query('delete from public.full_gallery_days')

    const refused = await upload('192.0.2.5')
    const resumable = [await announce({ length: photo.length }), await send(announced, photo)]

    expect(JSON.parse(refused.text)).toMatchObject({ error: 'too_many_sent' })
    expect([refused, ...resumable].map(({ status }) => status)).toEqual([429, 429, 429])
    expect(await usedUp()).toEqual(NOTHING)
    expect((await shop.database.owner.query('select from public.full_gallery_days')).rowCount).toBe(0)
    expect((await upload('192.0.2.6')).status).toBe(200)
  },
)

it('counts the photos of all networks of one IPv6 site together', async () => {
  await setLevel(
    shopLimits.uploadsPerAddress.bucket,
    shopLimits.uploadsPerAddress.limit.tries,
    '2001:db8:1::/48',
  )

  expect((await upload('2001:db8:1:ffff::1')).status).toBe(429)
  expect((await upload('2001:db8:2:ffff::1')).status).toBe(200)
})

it('lets one address keep no more than a quarter of what the gallery accepts in a day', () => {
  const { uploadsPerAddress, uploadsPerShop } = shopLimits
  const { uploadedKilobytesPerAddress, uploadedKilobytesPerShop } = shopLimits

  expect(uploadsPerAddress.limit.tries).toBeLessThanOrEqual(uploadsPerShop.limit.tries / 4)
  expect(uploadedKilobytesPerAddress.limit.tries).toBeLessThanOrEqual(
    uploadedKilobytesPerShop.limit.tries / 4,
  )
})

it('counts the photos of an address that the gallery keeps, and no others', async () => {
  const photo = await aPhoto()
  const words = Buffer.from('These are words and no photo. '.repeat(3000))
  await upload('192.0.2.5')
  await send(await announce({ length: photo.length }), photo)
  await send(await announce({ length: words.length }), words)
  await announce({ length: photo.length })

  const { rows } = await shop.database.owner.query(
    `select round(level)::int as photos from auth.rate_limits where bucket = $1 and subject = '192.0.2.5'`,
    [shopLimits.uploadsPerAddress.bucket],
  )
  expect(rows).toEqual([{ photos: 2 }])
})

it('counts the kilobytes of each photo towards the gallery’s daily bytes', async () => {
  const { bucket, limit } = shopLimits.uploadedKilobytesPerShop
  await setLevel(bucket, 0)
  const before = performance.now()
  const padding = Buffer.alloc(4 * 1024 * 1024)
  expect((await upload('192.0.2.5', padding)).status).toBe(200)

  const { rows } = await shop.database.owner.query('select level from auth.rate_limits where bucket = $1', [
    bucket,
  ])
  const drained = ((performance.now() - before) / 1000) * (limit.tries / limit.periodSeconds)
  expect(rows[0].level).toBeGreaterThan(4 * 1024 - drained - 1)
})

interface Announcement {
  length: number
  contentType?: string
  name?: string
}

function announce({
  length,
  contentType = 'image/jpeg',
  name = `${crypto.randomUUID()}-1.jpg`,
}: Announcement) {
  return api.request(`${shop.settings.publicUrl}/storage/v1/upload/resumable`, {
    method: 'POST',
    headers: {
      apikey: shop.keys.publishable,
      'tus-resumable': '1.0.0',
      'upload-length': String(length),
      'upload-metadata': `bucketName ${btoa('gallery')},objectName ${btoa(name)},contentType ${btoa(contentType)}`,
      'x-forwarded-for': '192.0.2.5',
    },
  })
}

async function send(announced: Response, bytes: Buffer): Promise<Response> {
  return api.request(new URL(announced.headers.get('location') ?? '', shop.settings.publicUrl).href, {
    method: 'PATCH',
    headers: {
      apikey: shop.keys.publishable,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      'content-length': String(bytes.length),
      'x-forwarded-for': '192.0.2.5',
    },
    body: new Uint8Array(bytes),
  })
}

/** The levels of the shop's daily buckets. */
async function usedUp(): Promise<{ photos: number; kilobytes: number }> {
  const { rows } = await shop.database.owner.query<{ bucket: string; level: number }>(
    `select bucket, level from auth.rate_limits where subject = 'shop'`,
  )
  const levelOf = ({ bucket }: { bucket: string }) => rows.find((row) => row.bucket === bucket)?.level ?? 0
  return {
    photos: Math.round(levelOf(shopLimits.uploadsPerShop)),
    kilobytes: Math.round(levelOf(shopLimits.uploadedKilobytesPerShop)),
  }
}

const NOTHING = { photos: 0, kilobytes: 0 }
const FIVE_MB = 5 * 1024 * 1024

it('does not count the bytes of a huge photo that the server rejects before the upload', async () => {
  const huge = { length: 1_200_000 * 1024, name: 'huge-photo.jpg' }
  const announced = [await announce(huge), await announce(huge)]

  expect(announced.map(({ status }) => status)).toEqual([413, 413])
  expect((await upload('192.0.2.6')).status).toBe(200)
})

it('does not count a photo that the server rejects before the upload', async () => {
  const refused = [
    await announce({ length: FIVE_MB + 1 }),
    await announce({ length: FIVE_MB, contentType: 'text/html' }),
    await announce({ length: FIVE_MB, name: 'elsewhere/photo.html' }),
  ]

  expect(refused.filter(({ ok }) => ok)).toEqual([])
  expect(await usedUp()).toEqual(NOTHING)
})

it('does not count an upload that starts but sends no data', async () => {
  for (let announced = 0; announced < 20; announced += 1)
    // oxlint-disable-next-line no-await-in-loop -- one attacker sends one call after the other
    expect((await announce({ length: FIVE_MB })).status).toBe(201)

  expect(await usedUp()).toEqual(NOTHING)
})

it('does not count a rejected photo, whether the upload is plain or resumable', async () => {
  const words = Buffer.from('These are words and no photo. '.repeat(3000))
  const whole = await api.request(
    `${shop.settings.publicUrl}/storage/v1/object/gallery/${crypto.randomUUID()}-1.jpg`,
    {
      method: 'POST',
      headers: {
        apikey: shop.keys.publishable,
        'content-type': 'image/jpeg',
        'content-length': String(words.length),
        'x-forwarded-for': '192.0.2.5',
      },
      body: new Uint8Array(words),
    },
  )
  const resumable = await send(await announce({ length: words.length }), words)

  expect([whole.ok, resumable.ok]).toEqual([false, false])
  expect(await usedUp()).toEqual(NOTHING)
})

it('does not count a signed upload URL that is never used', async () => {
  await api.request(
    `${shop.settings.publicUrl}/storage/v1/object/upload/sign/gallery/${crypto.randomUUID()}-1.jpg`,
    { method: 'POST', headers: { apikey: shop.keys.publishable, 'x-forwarded-for': '192.0.2.5' } },
  )

  expect(await usedUp()).toEqual(NOTHING)
})

it('counts a resumable photo upload once, when the photo is stored', async () => {
  const photo = await aPhoto()

  expect((await send(await announce({ length: photo.length }), photo)).status).toBe(204)

  expect(await usedUp()).toEqual({ photos: 1, kilobytes: Math.ceil(photo.length / 1024) })
})

it('rejects a resumable photo upload that started before the gallery was full', async () => {
  const photo = await aPhoto()
  const announced = await announce({ length: photo.length })
  await setLevel(shopLimits.uploadsPerShop.bucket, shopLimits.uploadsPerShop.limit.tries + 1)

  const refused = await send(announced, photo)

  expect(refused.status).toBe(429)
  expect(await refused.text()).toBe('The gallery cannot accept more photos today. Please try again tomorrow.')
  expect((await announce({ length: photo.length })).status).toBe(429)
})

it('does not count a photo that exceeds the daily bytes', async () => {
  const { bucket, limit } = shopLimits.uploadedKilobytesPerShop
  await setLevel(bucket, limit.tries + 100_000)

  for (const address of ['192.0.2.3', '192.0.2.4']) expect((await upload(address)).status).toBe(429)

  expect((await usedUp()).photos).toBe(0)
})

it('tells admins on which day the gallery rejected photos, until an admin dismisses the entry', async () => {
  const [admin, packer] = await Promise.all([shop.admin(), shop.packer()])
  await shop.database.owner.query('delete from public.full_gallery_days')
  await setLevel(shopLimits.uploadsPerShop.bucket, shopLimits.uploadsPerShop.limit.tries + 1)
  for (const address of ['192.0.2.3', '192.0.2.4']) await upload(address)
  const days = admin.client.from('full_gallery_days')
  const waiting = async () => (await admin.client.rpc('count_attention')).data?.issues

  const { data } = await days.select('id, refused')
  expect(data).toEqual([{ id: expect.any(String), refused: 2 }])
  expect((await packer.client.from('full_gallery_days').select('id')).data).toEqual([])
  expect(await waiting()).toBe(1)

  await days.delete().eq('id', data?.[0]?.id ?? '')
  expect(await waiting()).toBe(0)
})
