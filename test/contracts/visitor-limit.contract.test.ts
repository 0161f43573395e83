import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { openShop, type TestShop } from '#test/shop.ts'

const MESSAGE = {
  name: 'Sipho',
  email: 'sipho@example.com',
  subject: 'Hooks',
  message: 'Which hooks fit the 150?',
}

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

it('rate-limits rows that visitors insert from one network address', async () => {
  const visitor: SupabaseClient = shop.client()
  const send = async () => visitor.from('contact_submissions').insert(MESSAGE)

  const sent = await Promise.all(Array.from({ length: 70 }, send))
  const refused = sent.filter(({ error }) => error)

  // One call is credited per minute, so a slow run may see one more accepted.
  expect(refused.length).toBeOneOf([9, 10])
  expect(new Set(refused.map(({ status, error }) => `${status} ${error?.details}`))).toEqual(
    new Set(['429 too_many_sent']),
  )
  const photo = await visitor.from('gallery_submissions').insert({ status: 'approved' })
  expect(photo.status).toBe(429)
  const signup = await visitor.from('newsletter_signups').insert({ email: MESSAGE.email })
  expect(signup.status).toBe(429)
})

it('rate-limits photo uploads from one network address', async () => {
  const photos = shop.client().storage.from('gallery')
  const upload = async () =>
    photos.upload(`not-a-photo-${crypto.randomUUID()}.jpg`, Buffer.from('words'), {
      contentType: 'image/jpeg',
    })
  const uploads = () => Promise.all(Array.from({ length: 65 }, upload))

  // In two halves: a photo of unknown length counts as 5 MB until it is refused.
  const sent = [...(await uploads()), ...(await uploads())]
  const codes = sent.map(({ error }) => (error && 'statusCode' in error ? error.statusCode : null))

  expect(codes.filter((code) => code === '429').length).toBeOneOf([8, 9, 10])
  expect(codes.filter((code) => code === '415').length).toBeGreaterThan(115)
})

async function begin(bucket: string): Promise<number> {
  const metadata = { bucketName: bucket, objectName: crypto.randomUUID(), contentType: 'image/jpeg' }
  const response = await shop.fetch('/storage/v1/upload/resumable', {
    method: 'POST',
    headers: {
      apikey: shop.keys.publishable,
      'tus-resumable': '1.0.0',
      'upload-length': '9999999',
      'upload-metadata': Object.entries(metadata)
        .map(([name, value]) => `${name} ${btoa(value)}`)
        .join(','),
    },
  })
  return response.status
}

it('rate-limits resumable uploads to the gallery bucket but not to other buckets', async () => {
  // The previous test has used up the rate limit of this address, except for what was credited since.
  const statuses = await Promise.all(Array.from({ length: 6 }, () => begin('gallery')))
  expect(statuses).toContain(429)
  expect(await begin('catalogue')).toBe(403)
})

it('does not rate-limit reads, refused carts of visitors or calls with the secret key', async () => {
  const visitor: SupabaseClient = shop.client()

  expect((await visitor.from('gallery_submissions').select('id')).status).toBe(200)
  expect((await visitor.from('cart_items').insert({ quantity: 1 })).status).toBe(401)
  expect((await shop.serviceClient().from('contact_submissions').insert(MESSAGE)).status).toBe(201)
})
