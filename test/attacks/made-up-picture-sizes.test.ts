import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { openShop, type TestShop } from '#test/shop.ts'
import { callsFrom, countStatuses } from './from-address.ts'

const PICTURE = '/storage/v1/render/image/public/catalogue/attacked.jpg'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop({ trustProxy: 1 })
  const noise = {
    width: 1600,
    height: 1600,
    channels: 3 as const,
    noise: { type: 'gaussian' as const, mean: 120, sigma: 60 },
  }
  const picture = await sharp({ create: { ...noise, background: '#000' } })
    .jpeg()
    .toBuffer()
  const { error } = await shop
    .serviceClient()
    .storage.from('catalogue')
    .upload('attacked.jpg', picture, { contentType: 'image/jpeg' })
  if (error) throw error
})
afterAll(() => shop.close())

it('rejects picture sizes and qualities that no page uses, without rendering', async () => {
  const call = callsFrom(shop, '192.0.2.1')
  const odd = Array.from({ length: 2 }, (_, at) => [
    `width=${1501 + at}&quality=70`,
    `width=1200&height=${1001 + at}&quality=70`,
    `width=1200&quality=${21 + at}`,
    'width=1200&quality=70&resize=fill',
    'width=1200&quality=70&format=avif',
    '',
  ])
  const answers = await Promise.all(odd.flat().map((query) => call(`${PICTURE}?${query}`)))

  expect(countStatuses(answers)).toEqual({ 400: 12 })
  expect(await answers[0]?.json()).toMatchObject({ code: 'InvalidRequest', statusCode: '400' })
})

it('serves a visitor’s picture quickly while another address requests made-up sizes', async () => {
  const attack = Array.from({ length: 60 }, (_, at) =>
    callsFrom(shop, '192.0.2.1')(`${PICTURE}?width=${1500 - at}&quality=${100 - (at % 50)}`),
  )
  const asked = performance.now()
  const real = await callsFrom(shop, '192.0.2.2')(`${PICTURE}?width=320&quality=70`)

  expect(real.status).toBe(200)
  expect(performance.now() - asked).toBeLessThan(5000)
  await Promise.all(attack)
})

it('renders any picture size for the secret key', async () => {
  const answer = await shop.fetch(`${PICTURE}?width=333`, { headers: { apikey: shop.keys.secret } })

  expect(answer.status).toBe(200)
})

it('rate-limits rendered pictures per address, but not cached pictures', async () => {
  // A little above the limit of 1500, because the bucket drains meanwhile.
  await shop.database.owner.query(
    `insert into auth.rate_limits (bucket, subject, level) values ('picture', '192.0.2.3', 1510)`,
  )
  const call = callsFrom(shop, '192.0.2.3')

  expect((await call(`${PICTURE}?width=320&quality=70`)).status).toBe(200)
  expect((await call(`${PICTURE}?width=480&quality=70`)).status).toBe(429)
  await shop.database.owner.query(`delete from auth.rate_limits where bucket = 'picture'`)
  expect((await call(`${PICTURE}?width=480&quality=70`)).status, 'after the limit').toBe(200)
})
