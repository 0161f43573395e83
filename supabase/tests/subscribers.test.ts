import { describe, expect } from 'vitest'
import { MARKETING_WORDING as WORDING } from '#domain/marketing.ts'
import { aCustomer, anAdmin, aVerifiedCustomer, type UserClaims, verifyMailbox } from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

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

  expect(await subscribers(sql)).toEqual({
    'never@example.com': 'not_asked',
    'asked@example.com': 'pending',
    'agreed@example.com': 'agreed',
    'withdrew@example.com': 'withdrew',
    'again@example.com': 'pending',
    'left@example.com': 'unsubscribed',
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

describe('account with several addresses', () => {
  const moved = 'moved@example.com'

  test('takes the consent of an account along to its new address and ends it for the former one', async ({
    sql,
  }) => {
    const customer = await aVerifiedCustomer(sql)
    await switchNews(sql, customer, true)

    await changeAddress(sql, customer, moved)

    expect(await subscribers(sql)).toEqual({ [customer.email]: 'unsubscribed', [moved]: 'agreed' })
    expect(await switchNews(sql, customer, false)).toMatchObject({ is_given: false })
    expect(await subscribers(sql)).toEqual({ [customer.email]: 'unsubscribed', [moved]: 'unsubscribed' })
  })

  test('subscribes no new address of an account that was not subscribed', async ({ sql }) => {
    const customer = await aVerifiedCustomer(sql)
    await switchNews(sql, customer, true)
    await switchNews(sql, customer, false)

    await changeAddress(sql, customer, moved)

    expect(await subscribers(sql)).toEqual({ [customer.email]: 'unsubscribed' })
  })

  test('does not subscribe the new address of an account if that address has left the newsletter', async ({
    sql,
  }) => {
    const customer = await aVerifiedCustomer(sql)
    await switchNews(sql, customer, true)
    await sql.rows('insert into public.newsletter_signups (email, unsubscribed_at) values ($1, now())', [
      moved,
    ])

    await changeAddress(sql, customer, moved)

    expect(await subscribers(sql)).toEqual({ [customer.email]: 'unsubscribed', [moved]: 'unsubscribed' })
    await sql.as(customer)
    expect(await sql.value('select public.marketing_consent()')).toMatchObject({ is_given: false })
  })

  test('does not confirm a former address of an account by a link that was mailed there', async ({ sql }) => {
    const customer = await aCustomer(sql)
    await switchNews(sql, customer, true)
    const secret = await mailedSecret(sql)

    await changeAddress(sql, customer, moved)

    expect(await confirm(sql, secret)).toBe(false)
  })

  test('withdraws the consents of merged accounts, but not those that another person has given since', async ({
    sql,
  }) => {
    const customer = await aVerifiedCustomer(sql)
    await sql.rows(
      `insert into public.newsletter_signups (email) values ('merged@example.com'), ('sold@example.com')`,
    )
    for (const [email, person] of [
      ['merged@example.com', customer.sub],
      ['sold@example.com', customer.sub],
      ['sold@example.com', null],
    ])
      await sql.rows(
        `insert into public.marketing_consents (email, customer_id, is_given, source, wording) values ($1, $2, true, 'footer', $3)`,
        [email, person, WORDING],
      )

    await switchNews(sql, customer, false)

    expect(await subscribers(sql)).toEqual({
      'merged@example.com': 'unsubscribed',
      'sold@example.com': 'agreed',
    })
  })
})

describe('address that has left the newsletter', () => {
  test('lets an unsubscribed address subscribe again by the link that a form mails', async ({ sql }) => {
    await anUnsubscribedSignup(sql, 'reader@example.com')

    expect(await subscribe(sql, 'reader@example.com')).toBe('pending')
    expect(await subscribers(sql)).toEqual({ 'reader@example.com': 'unsubscribed' })

    expect(await confirm(sql, await mailedSecret(sql))).toBe(true)
    expect(await subscribers(sql)).toEqual({ 'reader@example.com': 'agreed' })
  })

  test('lets an unsubscribed address subscribe again by the link that an unverified account’s switch mails', async ({
    sql,
  }) => {
    const customer = await aCustomer(sql)
    await anUnsubscribedSignup(sql, customer.email)

    expect(await switchNews(sql, customer, true)).toMatchObject({ is_given: false, is_pending: true })
    expect(await subscribers(sql)).toEqual({ [customer.email]: 'unsubscribed' })

    expect(await confirm(sql, await mailedSecret(sql))).toBe(true)
    expect(await subscribers(sql)).toEqual({ [customer.email]: 'agreed' })
  })

  test('subscribes an unsubscribed address again at once by a form of its verified account', async ({
    sql,
  }) => {
    const customer = await aVerifiedCustomer(sql)
    await anUnsubscribedSignup(sql, customer.email)

    expect(await subscribe(sql, customer.email, customer)).toBe('confirmed')
    expect(await subscribers(sql)).toEqual({ [customer.email]: 'agreed' })
  })

  test('ends the pending consent of an address that is unsubscribed', async ({ sql }) => {
    const customer = await aCustomer(sql)
    await switchNews(sql, customer, true)
    await sql.rows('select private.unsubscribe(id) from public.newsletter_signups')

    await sql.as(customer)
    expect(await sql.value('select public.marketing_consent()')).toMatchObject({ is_pending: false })
  })
})

async function anUnsubscribedSignup(sql: TestTransaction, email: string): Promise<void> {
  await sql.rows(
    `insert into public.newsletter_signups (email, created_at, unsubscribed_at)
     values ($1, now() - interval '1 year', now() - interval '1 second')`,
    [email],
  )
  await sql.rows(
    `insert into public.marketing_consents (email, is_given, source, wording) values ($1, false, 'unsubscribe link', 'Stop.')`,
    [email],
  )
}

/** Sends a form with the box for news. */
function subscribe(sql: TestTransaction, email: string, caller?: UserClaims): Promise<unknown> {
  return sql.value('select private.welcome_subscriber($1, $2, true, true)', [email, caller?.sub])
}

async function confirm(sql: TestTransaction, secret: string): Promise<boolean> {
  return sql.value<boolean>('select private.confirm_subscription($1)', [secret])
}

async function mailedSecret(sql: TestTransaction): Promise<string> {
  return sql.value<string>(
    `select props ->> 'secret' from public.mails where template = 'newsletter-confirmation'`,
  )
}

async function switchNews(sql: TestTransaction, customer: UserClaims, isGiven: boolean): Promise<unknown> {
  await sql.as(customer)
  const consent = await sql.value('select public.set_marketing_consent($1, $2)', [isGiven, WORDING])
  await sql.asShop()
  return consent
}

/** Changes the address as the auth service does: the new mailbox has confirmed the change before. */
async function changeAddress(sql: TestTransaction, { sub }: UserClaims, email: string): Promise<void> {
  await verifyMailbox(sql, { sub, email })
  await sql.rows('update auth.users set email = $2 where id = $1', [sub, email])
}

async function subscribers(sql: TestTransaction): Promise<Record<string, string>> {
  const rows = await sql.rows<{ email: string; consent: string }>(
    'select email, consent from public.subscribers',
  )
  return Object.fromEntries(rows.map(({ email, consent }) => [email, consent]))
}
