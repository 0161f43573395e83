import { describe, expect } from 'vitest'
import { aCustomer, aPacker, orderOf, popper, type UserClaims } from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

const erase = (sql: TestTransaction) => sql.rows('select private.erase_inactive_customers()')

/** A mail that was queued at the time that follows. */
const mail = (template: string, props: object = { name: 'Sipho' }, isConfidential = false) =>
  `insert into public.mails (key, template, recipient, props, confidential, created_at)
   select gen_random_uuid()::text, '${template}', 'sipho@example.com', '${JSON.stringify(props)}', ${isConfidential}`

const PHOTO = `insert into public.gallery_submissions (customer_name, email, description, image_url, image_urls, status, created_at)
  select 'Sipho', 'sipho@example.com', 'Garrick', '/a.jpg', '{/a.jpg}'`

describe('data of visitors', () => {
  test.for([
    {
      data: 'a contact message',
      kept: '35 months',
      erased: '37 months',
      insert: `insert into public.contact_submissions (name, email, subject, message, created_at)
        select 'Sipho', 'sipho@example.com', 'Hooks', 'Which hooks do you use?'`,
      left: 'public.contact_submissions',
    },
    {
      data: 'the address of a photo’s sender',
      kept: '11 months',
      erased: '13 months',
      insert: `${PHOTO}, 'pending'`,
      left: 'public.gallery_contacts',
    },
    {
      data: 'a declined photo',
      kept: '59 months',
      erased: '61 months',
      insert: `${PHOTO}, 'declined'`,
      left: 'public.gallery_submissions',
    },
    {
      data: 'the name below an approved photo',
      kept: '59 months',
      erased: '61 months',
      insert: `${PHOTO}, 'approved'`,
      left: `public.gallery_submissions where customer_name = 'Sipho'`,
    },
    {
      data: 'a stock alert',
      kept: '23 months',
      erased: '25 months',
      insert: `insert into public.stock_alerts (variant_id, email, wording, created_at)
        select (select id from public.product_variants limit 1), gen_random_uuid() || '@example.com', 'Mail me'`,
      left: 'public.stock_alerts',
    },
    {
      data: 'a code that was sent to a phone',
      kept: '29 days',
      erased: '31 days',
      insert: `insert into private.texts (sent_to, channel, code, created_at) select '082 123 4567', 'sms', '123456'`,
      left: 'private.texts',
    },
    {
      data: 'an unconfirmed subscription',
      kept: '59 months',
      erased: '61 months',
      insert: `insert into public.newsletter_signups (email, created_at) select gen_random_uuid() || '@example.com'`,
      left: 'public.newsletter_signups',
    },
    {
      data: 'a consent without a subscription',
      kept: '59 months',
      erased: '61 months',
      insert: `insert into public.marketing_consents (email, is_given, source, wording, created_at)
        select gen_random_uuid() || '@example.com', false, 'shop', 'Stop'`,
      left: 'public.marketing_consents',
    },
    {
      data: 'the e-mail to the shop about a contact message',
      kept: '35 months',
      erased: '37 months',
      insert: mail('contact-notification'),
      left: 'public.mails',
    },
    {
      data: 'the e-mail that a contact message has arrived',
      kept: '35 months',
      erased: '37 months',
      insert: mail('contact-received'),
      left: 'public.mails',
    },
    {
      data: 'a reply to a contact message',
      kept: '35 months',
      erased: '37 months',
      insert: mail('admin-email'),
      left: 'public.mails',
    },
    {
      data: 'the e-mail to the shop about a photo',
      kept: '11 months',
      erased: '13 months',
      insert: mail('gallery-notification'),
      left: 'public.mails',
    },
    {
      data: 'the e-mail of a stock alert',
      kept: '89 days',
      erased: '91 days',
      insert: mail('back-in-stock'),
      left: 'public.mails',
    },
    {
      data: 'an e-mail with a link that signs in',
      kept: '29 days',
      erased: '31 days',
      insert: mail('sign-in-link', { link: 'https://shop.example/sign-in' }, true),
      left: 'public.mails',
    },
    {
      data: 'the e-mail that an account is closed',
      kept: '11 months',
      erased: '13 months',
      insert: mail('account-closed'),
      left: 'public.mails',
    },
    {
      data: 'an e-mail of staff about an order',
      kept: '59 months',
      erased: '61 months',
      insert: mail('admin-email', { orderId: '5f0f6f4e-2b44-4b0c-9d0e-3c1f1f0c7a11' }),
      left: 'public.mails',
    },
    {
      data: 'the e-mail that confirms a subscription',
      kept: '59 months',
      erased: '61 months',
      insert: mail('newsletter-confirmation'),
      left: 'public.mails',
    },
  ])('keeps $data for $kept and erases it after $erased', async ({ kept, erased, insert, left }, { sql }) => {
    const before = await sql.touched(`select from ${left}`)
    for (const age of [kept, erased]) await sql.rows(`${insert}, now() - $1::interval`, [age])

    await erase(sql)

    expect((await sql.touched(`select from ${left}`)) - before).toBe(1)
  })

  test('keeps a subscription that was ended less than five years ago', async ({ sql }) => {
    await sql.rows(
      `insert into public.newsletter_signups (email, created_at, unsubscribed_at)
       values ('reader@example.com', now() - interval '9 years', now() - interval '4 years')`,
    )

    await erase(sql)

    expect(await sql.touched('select from public.newsletter_signups')).toBe(1)
  })

  test('keeps the approved photo whose sender’s name it erases', async ({ sql }) => {
    await sql.rows(`${PHOTO}, 'approved', now() - interval '6 years'`)

    await erase(sql)

    expect(await sql.rows('select customer_name, status from public.gallery_submissions')).toEqual([
      { customer_name: 'A customer', status: 'approved' },
    ])
  })
})

describe('an account', () => {
  test('deletes the subscriptions of an unused account’s former addresses with the account', async ({
    sql,
  }) => {
    const person = await aCustomer(sql)
    await sql.rows(
      `insert into public.newsletter_signups (email) values ('former@example.com'), ('sold@example.com')`,
    )
    await sql.rows(
      `insert into public.marketing_consents (email, customer_id, is_given, source, wording) values
         ('former@example.com', $1, true, 'shop', 'News'), ('sold@example.com', $1, true, 'shop', 'News'),
         ('sold@example.com', null, true, 'shop', 'News')`,
      [person.sub],
    )

    expect(await isKept(sql, person)).toBe(false)

    expect(await sql.rows('select email from public.newsletter_signups')).toEqual([
      { email: 'sold@example.com' },
    ])
  })

  test('is deleted five years after its last use', async ({ sql }) => {
    const person = await aCustomer(sql)
    await sql.rows(`update auth.users set last_sign_in_at = now() - interval '61 months' where id = $1`, [
      person.sub,
    ])

    expect(await isKept(sql, person)).toBe(false)
  })

  test('is kept when its owner signed in less than five years ago', async ({ sql }) => {
    const person = await aCustomer(sql)
    await sql.rows(`update auth.users set last_sign_in_at = now() - interval '59 months' where id = $1`, [
      person.sub,
    ])

    expect(await isKept(sql, person)).toBe(true)
  })

  test.for(['updated_at', 'refreshed_at'])(
    'is kept when %s says that a session was used less than five years ago',
    async (column, { sql }) => {
      const person = await aCustomer(sql)
      await sql.rows(
        `insert into auth.sessions (id, user_id, created_at, updated_at) values (gen_random_uuid(), $1,
           now() - interval '61 months', now() - interval '61 months')`,
        [person.sub],
      )
      await sql.rows(`update auth.sessions set ${column} = now() - interval '59 months' where user_id = $1`, [
        person.sub,
      ])

      expect(await isKept(sql, person)).toBe(true)
    },
  )

  test('is kept when an order of it changed less than five years ago', async ({ sql }) => {
    const person = await aCustomer(sql)
    await orderOf(sql, person, { lines: [popper], total: 210 })
    await sql.rows('set constraints all immediate')
    await sql.rows('alter table public.orders disable trigger touch_updated_at')
    await sql.rows(`update public.orders set updated_at = now() - interval '59 months'`)

    expect(await isKept(sql, person)).toBe(true)
  })

  test('is kept while its owner works in the shop', async ({ sql }) => {
    expect(await isKept(sql, await aPacker(sql))).toBe(true)
  })
})

/** Returns whether the account, which was created 61 months ago, still exists after the nightly job. */
async function isKept(sql: TestTransaction, person: UserClaims): Promise<boolean> {
  await sql.rows(`update auth.users set created_at = now() - interval '61 months' where id = $1`, [
    person.sub,
  ])
  await erase(sql)
  return (await sql.touched(`select from auth.users where id = '${person.sub}'`)) === 1
}
