import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SUBMISSIONS } from '#app/admin/gallery/submission-list.ts'
import type { List } from '#app/admin/list/list.ts'
import { MESSAGES } from '#app/admin/messages/message-list.ts'
import { rulesOfCode } from '#app/admin/promo-codes/promo-code.ts'
import { draftOf, rulesOf } from '#app/admin/promo-codes/promo-form.ts'
import { PROMO_CODES } from '#app/admin/promo-codes/promo-list.ts'
import { SUBSCRIBERS, SUBSCRIBERS_FILE } from '#app/admin/subscribers/subscriber-list.ts'
import { CLIENTS } from '#app/admin/clients/client-list.ts'
import { revokedAdmin } from '#test/revoked-admin.ts'
import { openShop, PASSWORD, type Person, type TestShop } from '#test/shop.ts'

let shop: TestShop<SupabaseClient>
let admin: Person<SupabaseClient>
let customer: Person<SupabaseClient>
beforeAll(async () => {
  shop = await openShop()
  admin = await shop.admin()
  customer = await shop.signUp()
  const visitor = shop.client()
  await visitor
    .from('contact_submissions')
    .insert({ name: 'Lerato', email: LERATO, subject: 'Hooks', message: 'Which hooks do you use?' })
  await visitor.from('newsletter_signups').insert({ email: LERATO })
  await admin.client.from('client_notes').insert({ client_id: customer.userId, body: 'Fishes at Mbotyi' })
})
afterAll(() => shop.close())

const PEOPLE: Record<string, () => Promise<SupabaseClient>> = {
  'a visitor': async () => shop.client(),
  'a customer': async () => customer.client,
  'a revoked admin': () => revokedAdmin(shop),
}

const LERATO = 'lerato@example.com'
const NOBODY = '00000000-0000-4000-8000-000000000000'

const CALLS: [string, () => Record<string, unknown>][] = [
  ['test_promo_code', () => ({ terms: { code: 'FREE', discount_value: 100 }, cart_subtotal: 500 })],
  ['get_client', () => ({ client_id: customer.userId })],
  ['export_client', () => ({ client_id: customer.userId })],
  ['erase_client', () => ({ client_id: customer.userId })],
  ['merge_clients', () => ({ kept_id: customer.userId, merged_id: NOBODY })],
  ['unsubscribe_on_request', () => ({ signup_id: NOBODY })],
  ['review_photo', () => ({ submission_id: NOBODY, was: 'pending', verdict: 'approved' })],
]

/** Tables with at least one row; the matrix in docs/access.md covers the others. */
const RECORDS = ['promo_code_results', 'client_notes', 'messages', 'subscribers']

it.each(RECORDS)('lets an admin read the table %s', async (table) => {
  const { data } = await admin.client.from(table).select('*')

  expect(data?.length).toBeGreaterThan(0)
})

describe.each(Object.entries(PEOPLE))('%s', (_person, signIn) => {
  // covers A43
  it.each(CALLS)('does not let other people call the client function %s', async (name, given) => {
    const { error } = await (await signIn()).rpc(name, given())

    expect(error?.code).toBe('42501')
  })

  // covers A43
  it.each(RECORDS)('does not let other people read the table %s', async (table) => {
    const { data } = await (await signIn()).from(table).select('*')

    expect(data ?? []).toEqual([])
  })
})

describe.each(Object.entries(PEOPLE))('%s', (_person, signIn) => {
  it('does not let other people add a note about a client', async () => {
    const client = await signIn()

    const { error } = await client
      .from('client_notes')
      .insert({ client_id: customer.userId, body: 'Owes us' })

    expect(error?.code).toBe('42501')
  })
})

/** The rows that the list shows an admin for a search and filters. */
async function shown<Row>(
  list: List<Row>,
  search = '',
  filters: Record<string, string> = {},
): Promise<Row[]> {
  const { data, error } = await list.buildQuery(admin.client, { search, filters }).retry(false)
  if (error) throw error
  return data
}

it('lists the clients of a province by the filter', async () => {
  await customer.client
    .from('profiles')
    .update({ city: 'Limpopo', state: 'KwaZulu-Natal' })
    .eq('id', customer.userId)

  expect(await shown(CLIENTS, '', { state: 'KwaZulu-Natal' })).toMatchObject([{ id: customer.userId }])
  expect(await shown(CLIENTS, customer.email, { state: 'KwaZulu-Natal' })).toHaveLength(1)
  expect(await shown(CLIENTS, '', { state: 'Limpopo' })).toEqual([])
  expect(await shown(CLIENTS, customer.email, { state: 'Limpopo' })).toEqual([])
})

it('loads a client’s page in one call, and finds clients by any word or any phone format', async () => {
  await customer.client
    .from('profiles')
    .update({ full_name: 'Sipho (Dlamini), "Skip"', phone: '+27829998888' })
    .eq('id', customer.userId)
  const { data } = await admin.client.rpc('get_client', { client_id: customer.userId })

  expect(data).toMatchObject({ id: customer.userId, orders: 0, spend: 0, is_admin: false, duplicates: [] })
  for (const term of ['DLAMINI', '(dlamini), "skip', customer.email, '082 999 8888']) {
    expect(await shown(CLIENTS, term), term).toMatchObject([{ id: customer.userId }])
  }
})

it('ends an erased client’s sessions and rejects the old token', async () => {
  const leaving = await shop.signUp()

  const { error } = await admin.client.rpc('erase_client', { client_id: leaving.userId })

  const { data } = await leaving.client.from('profiles').select('id')
  const again = await shop.client().auth.signInWithPassword({ email: leaving.email, password: PASSWORD })
  expect(error).toBeNull()
  expect(data ?? []).toEqual([])
  expect(again.error?.code).toBe('invalid_credentials')
})

it('saves a promo code’s form with the loaded values without a change', async () => {
  const [listed] = await shown(PROMO_CODES, '5OFFFIRST')
  if (!listed) throw new Error('the welcome code is gone')

  const { error } = await admin.client
    .from('promo_codes')
    .update(rulesOf(draftOf(rulesOfCode(listed))))
    .eq('id', listed.id)

  expect(error).toBeNull()
  expect((await shown(PROMO_CODES, '5OFFFIRST'))[0]).toMatchObject(rulesOfCode(listed))
})

it('lists and counts promo codes by state, and tests a saved code with the recorded uses', async () => {
  const { data: promo } = await admin.client
    .from('promo_codes')
    .insert({ code: 'gone', discount_type: 'fixed', discount_value: 50, expires_at: '2020-01-01' })
    .select()
    .single()

  const listed = await admin.client
    .from('promo_code_results')
    .select('code, state, revenue', { count: 'exact' })
    .eq('state', 'expired')
    .order('revenue', { ascending: false })
  const tried = await admin.client.rpc('test_promo_code', { terms: promo, cart_subtotal: 500 })
  expect(await shown(PROMO_CODES, '', { state: 'expired' })).toMatchObject([{ code: 'GONE' }])

  expect(listed).toMatchObject({ count: 1, data: [{ code: 'GONE', state: 'expired', revenue: 0 }] })
  expect(tried.data).toMatchObject({ total: 600, message: 'This promo code has expired' })
})

it('lists gallery photos with the sender’s contact, the lure and the review', async () => {
  const picture = '/storage/v1/object/public/site/gallery/01-deck.jpg'
  const { data: sent } = await shop
    .serviceClient()
    .from('gallery_submissions')
    .insert({
      customer_name: 'Zanele',
      email: LERATO,
      description: 'At dawn',
      image_url: picture,
      image_urls: [picture],
    })
    .select()
    .single()
  const { data: lure } = await admin.client
    .from('product_variants')
    .select('id, product_id')
    .limit(1)
    .single()

  const reviewed = await admin.client.rpc('review_photo', {
    submission_id: sent.id,
    was: 'pending',
    verdict: 'declined',
    reason: 'Blurred',
  })
  await admin.client
    .from('gallery_submissions')
    .update({ product_id: lure?.product_id, variant_id: lure?.id })
    .eq('id', sent.id)

  expect(reviewed.error).toBeNull()
  expect(await shown(SUBMISSIONS, 'zanele', { status: 'declined' })).toMatchObject([
    {
      gallery_contacts: { email: LERATO },
      products: { name: expect.any(String) },
      product_variants: { name: expect.any(String) },
      gallery_reviews: [{ verdict: 'declined', reason: 'Blurred', decided_by: admin.userId }],
    },
  ])
})

it('lists open messages until staff mark the messages as done, and finds open and done messages by any word', async () => {
  const [message] = await shown(MESSAGES, 'which hooks')
  expect(message).toMatchObject({ email: LERATO, state: 'open', answered_by: null })

  await admin.client.from('contact_answers').insert({ submission_id: message?.id })

  expect(await shown(MESSAGES, '')).toEqual([])
  expect(await shown(MESSAGES, 'which hooks')).toHaveLength(1)
  expect(await shown(MESSAGES, 'which hooks', { show: 'open' })).toEqual([])
  expect(await shown(MESSAGES, '', { show: 'done' })).toMatchObject([
    { state: 'done', answered_by: admin.userId, answered_at: expect.any(String) },
  ])
  expect(await shown(MESSAGES, LERATO, { show: 'all' })).toHaveLength(1)
})

// covers A42
it('lists a subscriber with the consent texts, and unsubscribes the person permanently', async () => {
  const subscriber = await shop.signUp()
  await shop.verifyMailbox(subscriber)
  await subscriber.client.rpc('set_marketing_consent', { is_given: true, wording: 'Yes, mail me news.' })
  const [listed] = await shown(SUBSCRIBERS, subscriber.email)
  expect(listed).toMatchObject({ consent: 'agreed', wording: 'Yes, mail me news.', source: 'shop' })
  expect(await shown(SUBSCRIBERS, LERATO)).toMatchObject([{ consent: 'not_asked', wording: null }])
  expect(await shown(SUBSCRIBERS, subscriber.email, { source: 'footer' })).toEqual([])
  expect(await shown(SUBSCRIBERS, subscriber.email, { source: 'shop' })).toHaveLength(1)

  const once = await admin.client.rpc('unsubscribe_on_request', { signup_id: listed?.id })
  await admin.client.rpc('unsubscribe_on_request', { signup_id: listed?.id })

  const { data: own } = await subscriber.client.rpc('marketing_consent')
  const { data: ledger } = await subscriber.client
    .from('marketing_consents')
    .select('is_given, source')
    .order('id')
  expect(once.error).toBeNull()
  expect(await shown(SUBSCRIBERS, subscriber.email, { consent: 'unsubscribed' })).toHaveLength(1)
  expect(own).toMatchObject({ is_given: false })
  expect(ledger).toEqual([
    { is_given: true, source: 'account page' },
    { is_given: false, source: 'the shop, on request' },
  ])
})

it('exports only subscribers who agreed, and omits those who left the box for news empty', async () => {
  const { owner } = shop.database
  await owner.query(
    `insert into public.newsletter_signups (email, confirmation_sent_at, unsubscribed_at) values
       ('agreed@file.example', null, null), ('not-asked@file.example', null, null),
       ('withdrew@file.example', null, null), ('pending@file.example', now(), null),
       ('unsubscribed@file.example', null, now())`,
  )
  await owner.query(
    `insert into public.marketing_consents (email, is_given, source, wording) values
       ('agreed@file.example', true, 'footer', 'Yes, mail me news.'),
       ('withdrew@file.example', true, 'footer', 'Yes, mail me news.'),
       ('withdrew@file.example', false, 'account page', 'No more news.')`,
  )

  const rows = await shown(SUBSCRIBERS, '@file.example')
  const exported = rows.filter((row) => SUBSCRIBERS_FILE.includes?.(row))

  expect(rows).toHaveLength(5)
  expect(exported.map(({ email }) => email)).toEqual(['agreed@file.example'])
})
