import { expect } from 'vitest'
import { aCustomer, aPacker, anAdmin } from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

const ANSWER = 'select * from public.answer_message($1, $2, $3)'

async function aMessage(sql: TestTransaction): Promise<string> {
  await sql.asShop()
  return sql.value<string>(
    `insert into public.contact_submissions (name, email, subject, message)
     values ('Sipho Dlamini', 'sipho@example.com', 'Hooks', 'Which hooks\nfit the 150?') returning id`,
  )
}

async function named(sql: TestTransaction, person: { sub: string }, name: string) {
  await sql.rows('update public.profiles set full_name = $2 where id = $1', [person.sub, name])
  return person
}

test('stores a reply to a contact message, quotes the question and marks the message as done', async ({
  sql,
}) => {
  const message = await aMessage(sql)
  const derick = await named(sql, await anAdmin(sql), 'Derick Smit')
  await sql.as(derick)

  const reply = await sql.row<{ mail_id: string }>(ANSWER, [message, 'Re: Hooks', 'Trebles,\nsize 1/0.'])

  expect(await sql.row('select state, answered_by from public.messages where id = $1', [message])).toEqual({
    state: 'done',
    answered_by: derick.sub,
  })
  expect(
    await sql.row(
      'select message, replied_by, delivery from public.message_replies where submission_id = $1',
      [message],
    ),
  ).toEqual({ message: 'Trebles,\nsize 1/0.', replied_by: derick.sub, delivery: 'queued' })
  expect(
    await sql.row('select template, recipient, props from public.mails where id = $1', [reply.mail_id]),
  ).toEqual({
    template: 'admin-email',
    recipient: 'sipho@example.com',
    props: {
      subject: 'Re: Hooks',
      message: 'Trebles,\nsize 1/0.',
      customerName: 'Sipho Dlamini',
      senderName: 'Derick Smit',
      question: { message: 'Which hooks\nfit the 150?', askedAt: expect.any(String) },
    },
  })
})

test('rejects a second reply to a message unless staff confirm the repetition', async ({ sql }) => {
  const message = await aMessage(sql)
  await sql.as(await named(sql, await anAdmin(sql), 'Derick Smit'))
  await sql.rows(ANSWER, [message, 'Re: Hooks', 'Trebles.'])
  await sql.asShop()
  await sql.as(await anAdmin(sql))

  expect(await sql.refusal(ANSWER, [message, 'Re: Hooks', 'Trebles.'])).toMatchObject({
    code: 'PT409',
    reason: 'answered_already',
    facts: { by: 'Derick Smit' },
  })
  await sql.rows('select public.answer_message($1, $2, $3, true)', [message, 'Re: Hooks', 'And singles.'])

  expect(
    await sql.value('select count(*)::int from public.message_replies where submission_id = $1', [message]),
  ).toBe(2)
  expect(
    await sql.value(
      `select count(*)::int from public.mails where key like 'contact-reply:%' and recipient = 'sipho@example.com'`,
    ),
  ).toBe(2)
})

test('mails an answer once when its author sends it again because the response was lost', async ({ sql }) => {
  const message = await aMessage(sql)
  const [derick, brother] = [await anAdmin(sql), await anAdmin(sql)]
  await sql.as(derick)
  const first = await sql.row<{ id: string }>(ANSWER, [message, 'Re: Hooks', 'Trebles.'])

  expect(await sql.row(ANSWER, [message, 'Re: Hooks', ' Trebles. '])).toEqual(first)
  expect(
    await sql.row('select * from public.answer_message($1, $2, $3, true)', [
      message,
      'Re: Hooks',
      'Trebles.',
    ]),
  ).toEqual(first)

  expect(await sql.refusal(ANSWER, [message, 'Re: Hooks', 'Singles.'])).toMatchObject({
    reason: 'answered_already',
  })
  expect(await sql.rows('select message from public.message_replies')).toEqual([{ message: 'Trebles.' }])
  expect(await sql.rows(`select from public.mails where key like 'contact-reply:%'`)).toHaveLength(1)
  await sql.as(brother)
  expect(await sql.refusal(ANSWER, [message, 'Re: Hooks', 'Trebles.'])).toMatchObject({
    reason: 'answered_already',
  })
})

test('mails the same answer again on another day', async ({ sql }) => {
  const message = await aMessage(sql)
  const derick = await anAdmin(sql)
  await sql.as(derick)
  await sql.rows(ANSWER, [message, 'Re: Hooks', 'Trebles.'])
  await sql.asShop()
  await sql.rows(`update public.contact_replies set created_at = created_at - interval '25 hours'`)
  await sql.as(derick)

  await sql.rows('select public.answer_message($1, $2, $3, true)', [message, 'Re: Hooks', 'Trebles.'])

  expect(await sql.rows('select from public.message_replies')).toHaveLength(2)
})

test('lets packers but not customers write and read replies to messages', async ({ sql }) => {
  const message = await aMessage(sql)
  const [packer, customer] = [await aPacker(sql), await aCustomer(sql)]
  await sql.as(packer)
  await sql.rows(ANSWER, [message, 'Re: Hooks', 'Trebles.'])
  await sql.asShop()
  await sql.rows(`update public.mails set status = 'sent', sent_at = now() where key like 'contact-reply:%'`)
  await sql.as(packer)

  expect(await sql.rows('select delivery from public.message_replies')).toEqual([{ delivery: 'sent' }])
  await sql.as(customer)
  expect(await sql.rows('select * from public.message_replies')).toEqual([])
  expect(await sql.refusal(ANSWER, [message, 'Re: Hooks', 'Trebles.'])).toMatchObject({ code: '42501' })
})

test('rejects empty replies and replies to unknown contact messages', async ({ sql }) => {
  const message = await aMessage(sql)
  await sql.as(await anAdmin(sql))

  expect(await sql.refusal(ANSWER, [message, 'Re: Hooks', '  '])).toMatchObject({
    reason: 'invalid_email_text',
  })
  expect(
    await sql.refusal(ANSWER, ['00000000-0000-4000-8000-000000000000', 'Re: Hooks', 'Trebles.']),
  ).toMatchObject({ reason: 'message_not_found' })
})

test('signs a bulk e-mail with the author’s name', async ({ sql }) => {
  const admin = await named(sql, await anAdmin(sql), 'Derick Smit')
  const customer = await aCustomer(sql)
  const order = await sql.value<string>(
    `insert into public.orders (customer_id, customer_email, customer_name, subtotal_amount, total_amount, shipping_method, shipping_address,
       shipping_city, shipping_state, shipping_zip, placed_at)
     values ($1, $2, 'Thandi Mokoena', 110, 110, 'door-to-door', '14 Beach Road', 'Durban', 'KwaZulu-Natal', '4001', now()) returning id`,
    [customer.sub, customer.email],
  )
  await sql.as(admin)

  await sql.rows('select public.email_buyers($1, $2, $3)', [[order], 'Closed', 'We are at the expo.'])

  expect(
    await sql.value(
      `select props ->> 'senderName' from public.mails where template = 'admin-email' and recipient = $1`,
      [customer.email],
    ),
  ).toBe('Derick Smit')
})

test('confirms the message of a sender again on another day', async ({ sql }) => {
  await aMessage(sql)
  // What was confirmed today was confirmed yesterday.
  await sql.rows(
    `update public.mails set key = replace(key, to_char(now() at time zone 'Africa/Johannesburg', 'YYYY-MM-DD'), '2026-01-01')
     where template = 'contact-received'`,
  )

  await aMessage(sql)

  expect(await sql.rows(`select recipient from public.mails where template = 'contact-received'`)).toEqual([
    { recipient: 'sipho@example.com' },
    { recipient: 'sipho@example.com' },
  ])
})
