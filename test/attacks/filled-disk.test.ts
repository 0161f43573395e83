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
  api = createApi({ settings: shop.settings, database: shop.database, keys: shop.keys, log })
  await shop.database.owner.query('delete from auth.rate_limits')
})
afterAll(() => shop.close())

/** Other addresses have uploaded so much today. */
function setLevel(bucket: string, level: number) {
  return shop.database.owner.query(
    `insert into auth.rate_limits (bucket, subject, level, updated_at) values ($1, 'shop', $2, now())`,
    [bucket, level],
  )
}

async function upload(address: string): Promise<{ status: number; text: string }> {
  const body = await aPhoto()
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

it('refuses photos from every address once the gallery has as many as it takes in a day', async () => {
  await setLevel(shopLimits.uploadsPerShop.bucket, shopLimits.uploadsPerShop.limit.tries - 1)

  expect((await upload('192.0.2.1')).status).toBe(200)
  const refused = await upload('192.0.2.2')

  expect(refused.status).toBe(429)
  expect(JSON.parse(refused.text)).toEqual({
    statusCode: '429',
    error: 'gallery_full',
    message: 'The gallery takes no more photos today. Please try again tomorrow.',
  })
})

it('refuses photos once those of a day weigh too much, and tells the owner once in the log', async () => {
  const { bucket, limit } = shopLimits.uploadedKilobytesPerShop
  // More than the day has room for: 23 kB drain in each second of the test.
  await setLevel(bucket, limit.tries + 100_000)

  for (const address of ['192.0.2.3', '192.0.2.4']) expect((await upload(address)).status).toBe(429)

  expect(warnings.filter((line) => line.includes('the gallery has used up its uploads'))).toHaveLength(1)
})

function announce(length: number) {
  return api.request(`${shop.settings.publicUrl}/storage/v1/upload/resumable`, {
    method: 'POST',
    headers: {
      apikey: shop.keys.publishable,
      'tus-resumable': '1.0.0',
      'upload-length': String(length),
      'upload-metadata': `bucketName ${btoa('gallery')},objectName ${btoa('huge-photo.jpg')},contentType ${btoa('image/jpeg')}`,
      'x-forwarded-for': '192.0.2.5',
    },
  })
}

it('does not let refused announcements of huge files use up the kilobytes of all visitors', async () => {
  const announced = [await announce(1_200_000 * 1024), await announce(1_200_000 * 1024)]

  expect(announced.map(({ status }) => status)).toEqual([413, 413])
  expect((await upload('192.0.2.6')).status).toBe(200)
})
