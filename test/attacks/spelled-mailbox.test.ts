import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

import { openShop, type TestShop } from '#test/shop.ts'

/**
 * The attack: avoid limits that count mails by address, because one mailbox has thousands of addresses: with a +tag, and at
 * Gmail with dots anywhere.
 */
let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
// The attacker has many network addresses, so the limits by network address do not apply.
beforeEach(() => shop.database.owner.query('delete from auth.rate_limits'))
afterAll(() => shop.close())

const TWENTY = Array.from({ length: 20 }, (_, at) => at)

function spellings(name: string): string[] {
  return TWENTY.map((at) =>
    at % 2 ? `${name}+${at}@gmail.com` : `${name.slice(0, 2)}.${name.slice(2)}+${at}@googlemail.com`,
  )
}

async function mailsTo(addresses: string[], template: string): Promise<number> {
  const { rows } = await shop.database.owner.query<{ mails: number }>(
    'select count(*)::int as mails from public.mails where recipient = any ($1) and template = $2',
    [addresses, template],
  )
  return rows[0]?.mails ?? -1
}

it('confirms one contact message a day to all spellings of a mailbox', async () => {
  const addresses = spellings('writer')

  for (const email of addresses)
    await shop
      .client()
      .from('contact_submissions')
      .insert({ name: 'Sipho', email, subject: 'Hooks', message: 'Which hooks fit the 150?' })

  expect(await mailsTo(addresses, 'contact-received')).toBe(1)
})

async function askToConfirm(email: string): Promise<void> {
  const visitor = shop.client()
  await visitor.from('newsletter_signups').insert({ email, source: 'footer', accepted_terms: true })
  await visitor.functions.invoke('send-newsletter-signup', {
    body: { email, acceptedTerms: true, marketingOptIn: true },
  })
}

it('sends one newsletter confirmation in ten minutes for all spellings of a mailbox', async () => {
  const addresses = spellings('reader')

  for (const email of addresses) await askToConfirm(email)

  expect(await mailsTo(addresses, 'newsletter-confirmation')).toBe(1)
})

it('sends three newsletter confirmations in total for all spellings of a mailbox', async () => {
  const addresses = spellings('patient')

  for (const email of addresses) {
    await askToConfirm(email)
    await shop.database.owner.query(
      `update private.newsletter_links set asked_at = asked_at - interval '1 hour'`,
    )
  }

  expect(await mailsTo(addresses, 'newsletter-confirmation')).toBe(3)
})

it('sends a newsletter confirmation to another spelling after the first spelling is confirmed', async () => {
  const [first = '', second = ''] = spellings('fan')

  await askToConfirm(first)
  await shop.database.owner.query('update private.newsletter_links set confirmed_at = now()')
  await askToConfirm(second)

  expect(await mailsTo([second], 'newsletter-confirmation')).toBe(1)
})

it('stores at most twenty pending stock alerts for all spellings of a mailbox', async () => {
  const { owner } = shop.database
  await owner.query('update public.product_variants set stock_quantity = 0')
  const { rows: variants } = await owner.query<{ id: string }>(
    `select v.id from public.product_variants v join public.products p on p.id = v.product_id
     where not p.made_to_order and exists (select from public.product_availability a where a.variant_id = v.id) limit 2`,
  )

  for (const email of spellings('waiter'))
    for (const { id } of variants) await shop.client().rpc('request_stock_alert', { variant: id, email })

  const { rows } = await owner.query<{ waiting: number }>(
    'select count(*)::int as waiting from public.stock_alerts',
  )
  expect(rows).toEqual([{ waiting: 20 }])
})
