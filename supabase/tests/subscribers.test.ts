import { expect } from 'vitest'
import { aCustomer, anAdmin } from './shopping.ts'
import { test } from './sql.ts'

test('tells who agreed to news from who was asked, withdrew, left or was never asked', async ({ sql }) => {
  await sql.rows(
    `insert into public.newsletter_signups (email, confirmation_sent_at, unsubscribed_at) values
       ('never@example.com', null, null), ('asked@example.com', now(), null), ('agreed@example.com', now() - interval '1 day', null),
       ('withdrew@example.com', now() - interval '1 day', null), ('again@example.com', now() + interval '1 day', null),
       ('left@example.com', null, now())`,
  )
  await sql.rows(
    `insert into public.marketing_consents (email, is_given, source, wording)
     select email || '@example.com', is_given, 'shop', 'News'
     from (values (1, 'agreed', false), (2, 'agreed', true), (3, 'withdrew', true), (4, 'withdrew', false), (5, 'again', false),
       (6, 'left', true)) as said (place, email, is_given) order by place`,
  )

  expect(
    Object.fromEntries(
      (
        await sql.rows<{ email: string; consent: string }>('select email, consent from public.subscribers')
      ).map(({ email, consent }) => [email.split('@')[0], consent]),
    ),
  ).toEqual({
    never: 'not_asked',
    asked: 'pending',
    agreed: 'agreed',
    withdrew: 'withdrew',
    again: 'pending',
    left: 'unsubscribed',
  })
})

test('records whose subscription an admin ended on request', async ({ sql }) => {
  const customer = await aCustomer(sql)
  const signup = await sql.value('insert into public.newsletter_signups (email) values ($1) returning id', [
    customer.email,
  ])
  await sql.as(await anAdmin(sql))

  await sql.rows('select public.unsubscribe_on_request($1)', [signup])

  expect(
    await sql.row('select customer_id, is_given, source from public.marketing_consents where email = $1', [
      customer.email,
    ]),
  ).toEqual({ customer_id: customer.sub, is_given: false, source: 'the shop, on request' })
})
