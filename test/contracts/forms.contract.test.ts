import type { SupabaseClient } from '@supabase/supabase-js'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aPhoto, uploadPhoto } from '#test/gallery-photo.ts'
import { openShop, type TestShop } from '#test/shop.ts'

let shop: TestShop<SupabaseClient>
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

// covers S3.10 S7.6
it('subscribes an e-mail address once, and hides subscribed addresses from strangers', async () => {
  const visitor = shop.client()

  const first = await visitor.from('newsletter_signups').insert({ email: 'angler@example.com' })
  const again = await visitor.from('newsletter_signups').insert({ email: 'Angler@Example.com' })
  const all = await visitor.from('newsletter_signups').select('email')

  expect(first.error).toBeNull()
  expect(again.error?.code).toBe('23505')
  expect(all.data).toEqual([])
})

// covers S7.6
it('lets the discount popup check whether an address has subscribed', async () => {
  const visitor = shop.client()

  const { data, error } = await visitor
    .from('newsletter_signups')
    .select('email')
    .eq('email', 'nobody@example.com')

  expect(error).toBeNull()
  expect(data).toEqual([])
})

// covers S3.11 S6.1 S7.9
it('accepts a visitor’s contact message and shows the message only to admins', async () => {
  const visitor = shop.client()
  const message = {
    name: 'Sipho',
    email: 'sipho@example.com',
    subject: 'Custom colour',
    message: 'Could you paint one like a sardine, please?',
  }

  const sent = await visitor.from('contact_submissions').insert(message)

  expect(sent.error).toBeNull()
  expect((await visitor.from('contact_submissions').select()).error?.code).toBe('42501')
  const admin = await shop.admin()
  expect((await admin.client.from('contact_submissions').select()).data).toMatchObject([message])
})

it('stores and mails a contact message once when it is sent again with the same id', async () => {
  const message = {
    id: crypto.randomUUID(),
    name: 'Lerato',
    email: 'lerato@example.com',
    subject: 'Sent twice',
    message: 'Did this arrive?',
  }
  const send = () => shop.client().from('contact_submissions').insert(message)

  expect((await send()).error).toBeNull()
  expect((await send()).error?.code).toBe('23505')

  const admin = await shop.admin()
  const mails = await admin.client
    .from('mails')
    .select('template')
    .contains('props', { subject: 'Sent twice' })
  expect(mails.data).toEqual([{ template: 'contact-notification' }])
})

it.each([
  ['a subject of two letters', { subject: 'Hi' }],
  ['a message of nine letters', { message: 'Too short' }],
  ['an invalid e-mail address', { email: 'sipho' }],
])('rejects a contact message with %s', async (_description, wrong) => {
  const { error } = await shop
    .client()
    .from('contact_submissions')
    .insert({
      name: 'Sipho',
      email: 'sipho@example.com',
      subject: 'Custom colour',
      message: 'Could you paint one like a sardine, please?',
      ...wrong,
    })

  expect(error?.code).toBe('23514')
})

async function aSubmission(visitor: SupabaseClient, photos = 1) {
  const urls: string[] = []
  for (let at = 0; at < photos; at++) urls.push(await uploadPhoto(visitor))
  return {
    customer_name: 'Lerato',
    email: 'lerato@example.com',
    description: 'A kingfish on the popper, Mbotyi',
    image_url: urls[0] ?? '',
    image_urls: urls,
    status: 'pending',
  }
}

// covers A3.7 S3.12 S4.24 S7.9
it('accepts a gallery photo for review and publishes the photo only after approval', async () => {
  const visitor = shop.client()
  const published = () =>
    visitor
      .from('gallery_submissions')
      .select('*')
      .eq('status', 'approved')
      .order('created_at', { ascending: false })

  const submission = await aSubmission(visitor, 2)
  const { data: sent } = await visitor.from('gallery_submissions').insert(submission).select().single()
  expect(sent).toMatchObject({ customer_name: 'Lerato', status: 'pending' })
  expect((await published()).data).toEqual([])

  const admin = await shop.admin()
  await admin.client.from('gallery_submissions').update({ status: 'approved' }).eq('id', sent.id)
  const { data } = await published()
  expect(data).toMatchObject([{ id: sent.id, customer_name: 'Lerato', email: null }])
})

it('does not let visitors publish a submitted photo', async () => {
  const { client } = await shop.signUp()
  const photo = await aSubmission(client)

  const inserted = await client.from('gallery_submissions').insert({ ...photo, status: 'approved' })
  expect(inserted.error?.code).toBe('42501')
  const { data: sent } = await client.from('gallery_submissions').insert(photo).select().single()
  const updated = await client
    .from('gallery_submissions')
    .update({ status: 'approved' })
    .eq('id', sent.id)
    .select()

  expect(updated.data ?? []).toEqual([])
})

it('rejects a photo URL outside the gallery’s storage', async () => {
  const visitor = shop.client()
  const photo = await aSubmission(visitor)
  const elsewhere = 'https://elsewhere.example/fish.jpg'

  const { error } = await visitor
    .from('gallery_submissions')
    .insert({ ...photo, image_url: elsewhere, image_urls: [elsewhere] })

  expect(error).toMatchObject({ code: 'PT422', details: 'unknown_photo' })
})

describe('a gallery photo', () => {
  // covers S4.24
  it('does not serve a gallery photo before approval, not even to the sender', async () => {
    const { client } = await shop.signUp()
    const { image_url } = await aSubmission(client)
    const { data } = await client.auth.getSession()
    const headers = { apikey: shop.keys.publishable }
    const people = [{}, headers, { ...headers, Authorization: `Bearer ${data.session?.access_token}` }]

    for (const address of addressesOf(image_url)) {
      for (const asked of people) {
        expect((await shop.fetch(address, { headers: asked })).status, address).toBeOneOf([400, 404])
      }
    }
    expect((await client.storage.from('gallery-private').list()).data).toEqual([])
    expect(
      (await client.storage.from('gallery-private').createSignedUrl(nameOf(image_url), 60)).data,
    ).toBeNull()
  })

  it('shows staff an unreviewed gallery photo through a signed URL, without GPS coordinates', async () => {
    const { image_url } = await aSubmission(shop.client())
    const admin = await shop.admin()

    const { data } = await admin.client.storage.from('gallery-private').createSignedUrl(nameOf(image_url), 60)
    const answer = await shop.fetch(data?.signedUrl ?? '')

    expect(answer.status).toBe(200)
    expect(await exifOf(answer)).toBeUndefined()
  })

  it('serves a gallery photo to visitors without GPS coordinates', async () => {
    const visitor = shop.client()
    const submission = await aSubmission(visitor)
    expect((await sharp(await aPhoto()).metadata()).exif).toBeDefined()
    const { data: sent } = await visitor.from('gallery_submissions').insert(submission).select().single()
    const admin = await shop.admin()
    await admin.client.from('gallery_submissions').update({ status: 'approved' }).eq('id', sent.id)

    const shown = addressesOf(submission.image_url).slice(0, 2)
    for (const address of shown) {
      const answer = await shop.fetch(address)
      expect(answer.status).toBe(200)
      expect(await exifOf(answer), address).toBeUndefined()
    }

    await admin.client.from('gallery_submissions').update({ status: 'declined' }).eq('id', sent.id)
    for (const address of shown) expect((await shop.fetch(address)).status).toBeOneOf([400, 404])
  })

  it.each([
    { what: 'a drawing', content: '<svg/>', contentType: 'image/svg+xml', status: '415' },
    { what: 'plain text', content: 'just words'.repeat(20), contentType: 'image/jpeg', status: '415' },
    {
      what: 'over 5 MB',
      content: `\xff\xd8\xff${'x'.repeat(5 << 20)}`,
      contentType: 'image/jpeg',
      status: '413',
    },
  ])('rejects a gallery upload that is $what', async ({ content, contentType, status }) => {
    const name = `${crypto.randomUUID()}-1.jpg`

    const { error } = await shop
      .client()
      .storage.from('gallery')
      .upload(name, Buffer.from(content, 'latin1'), { contentType })

    expect(error).toMatchObject({ statusCode: status })
  })

  it('does not let a visitor replace a gallery photo, not even with the upload URL', async () => {
    const visitor = shop.client()
    const name = `${crypto.randomUUID()}-1.jpg`
    const photo = await aPhoto()
    const files = visitor.storage.from('gallery')
    const { data: permit } = await files.createSignedUploadUrl(name, { upsert: true })

    const first = await files.upload(name, photo, { contentType: 'image/jpeg' })
    const again = await files.upload(name, photo, { contentType: 'image/jpeg', upsert: true })
    const late = await files.uploadToSignedUrl(name, permit?.token ?? '', photo, {
      contentType: 'image/jpeg',
      upsert: true,
    })

    expect(first.error).toBeNull()
    expect(again.error).toMatchObject({ statusCode: '409' })
    expect(late.error).not.toBeNull()
  })
})

it('deletes only gallery photos and files without a submission after a day', async () => {
  const visitor = shop.client()
  const [unsent, sent, fresh] = await Promise.all([1, 2, 3].map(() => uploadPhoto(visitor)))
  const submission = { ...(await aSubmission(visitor)), image_url: sent, image_urls: [sent] }
  expect((await visitor.from('gallery_submissions').insert(submission)).error).toBeNull()
  await shop.database.owner.query(
    `update storage.objects set created_at = now() - interval '25 hours' where name = any ($1)`,
    [[unsent, sent].map((address) => nameOf(address ?? ''))],
  )
  const admin = await shop.admin()
  const files = admin.client.storage.from('gallery-private')
  const isThere = async (address = '') => (await files.download(nameOf(address))).error === null

  await shop.database.owner.query(`select graphile_worker.add_job('delete_unsent_photos')`)
  await shop.runJobs()

  expect([await isThere(unsent), await isThere(sent), await isThere(fresh)]).toEqual([false, true, true])
  const late = { ...submission, image_url: unsent, image_urls: [unsent] }
  expect((await visitor.from('gallery_submissions').insert(late)).error).toMatchObject({
    details: 'unknown_photo',
  })
})

/** Every URL under which a stranger may request a file. */
function addressesOf(photo: string): string[] {
  const path = new URL(photo).pathname
  const name = path.slice(path.lastIndexOf('/') + 1)
  return ['gallery', 'gallery-private'].flatMap((bucket) => [
    `/storage/v1/object/public/${bucket}/${name}`,
    `/storage/v1/render/image/public/${bucket}/${name}?width=320`,
    `/storage/v1/object/${bucket}/${name}`,
    `/storage/v1/object/authenticated/${bucket}/${name}`,
    `/storage/v1/render/image/authenticated/${bucket}/${name}?width=320`,
    `/storage/v1/object/info/public/${bucket}/${name}`,
    `/storage/v1/object/info/${bucket}/${name}`,
  ])
}

function nameOf(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1)
}

async function exifOf(answer: Response) {
  return (await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).exif
}

it('serves the catalogue’s pictures to visitors', async () => {
  const { data } = shop.client().storage.from('gallery').getPublicUrl('one.jpg')

  expect(data.publicUrl).toBe(`${shop.settings.publicUrl}/storage/v1/object/public/gallery/one.jpg`)
})
