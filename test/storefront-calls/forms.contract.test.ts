import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type TestShop } from '#test/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

it('signs an address up once, and tells a stranger no addresses', async () => {
  const visitor = shop.client()

  const first = await visitor.from('newsletter_signups').insert({ email: 'angler@example.com' })
  const again = await visitor.from('newsletter_signups').insert({ email: 'Angler@Example.com' })
  const all = await visitor.from('newsletter_signups').select('email')

  expect(first.error).toBeNull()
  expect(again.error?.code).toBe('23505')
  expect(all.data).toEqual([])
})

it('answers the popup whether one address has signed up', async () => {
  const visitor = shop.client()

  const { data, error } = await visitor
    .from('newsletter_signups')
    .select('email')
    .eq('email', 'nobody@example.com')

  expect(error).toBeNull()
  expect(data).toEqual([])
})

it('takes a message from anybody and shows it to admins alone', async () => {
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

it.each([
  ['a subject of two letters', { subject: 'Hi' }],
  ['a message of nine letters', { message: 'Too short' }],
  ['an address that is none', { email: 'sipho' }],
])('refuses %s', async (_what, wrong) => {
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

const photo = {
  customer_name: 'Lerato',
  email: 'lerato@example.com',
  description: 'A kingfish on the popper, Mbotyi',
  image_url: '/storage/v1/object/public/gallery/one.jpg',
  image_urls: ['/storage/v1/object/public/gallery/one.jpg'],
  status: 'pending',
}

it('takes a photo for review, answers its row, and publishes only what was approved', async () => {
  const visitor = shop.client()
  const published = () =>
    visitor
      .from('gallery_submissions')
      .select('*')
      .eq('status', 'approved')
      .order('created_at', { ascending: false })

  const { data: sent } = await visitor.from('gallery_submissions').insert(photo).select().single()
  expect(sent).toMatchObject({ customer_name: 'Lerato', status: 'pending' })
  expect((await published()).data).toEqual([])

  const admin = await shop.admin()
  await admin.client.from('gallery_submissions').update({ status: 'approved' }).eq('id', sent.id)
  const { data } = await published()
  expect(data).toMatchObject([{ id: sent.id, customer_name: 'Lerato', email: null }])
})

it('lets nobody publish their own photo', async () => {
  const { client } = await shop.signUp()

  const inserted = await client.from('gallery_submissions').insert({ ...photo, status: 'approved' })
  const { data: sent } = await client.from('gallery_submissions').insert(photo).select().single()
  const updated = await client
    .from('gallery_submissions')
    .update({ status: 'approved' })
    .eq('id', sent.id)
    .select()

  expect(inserted.error?.code).toBe('42501')
  expect(updated.data ?? []).toEqual([])
})

it('serves the pictures of the catalogue to everybody', async () => {
  const { data } = shop.client().storage.from('gallery').getPublicUrl('one.jpg')

  expect(data.publicUrl).toBe(`${shop.settings.publicUrl}/storage/v1/object/public/gallery/one.jpg`)
})
