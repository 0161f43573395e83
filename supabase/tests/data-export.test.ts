import { expect } from 'vitest'
import { aCustomer, anAdmin, orderOf, popper } from './shopping.ts'
import { test } from './sql.ts'

test('exports sign-up data, roles, second factors, sessions and sent mails of an account', async ({
  sql,
}) => {
  const customer = await aCustomer(sql)
  const order = await orderOf(sql, customer, { lines: [popper], total: 210 })
  await sql.rows(
    `update auth.users set raw_user_meta_data = '{"full_name": "Thandi"}', last_sign_in_at = now() where id = $1`,
    [customer.sub],
  )
  await sql.rows(
    `insert into auth.mfa_factors (id, user_id, factor_type, friendly_name, status, secret, created_at, updated_at)
     values (gen_random_uuid(), $1, 'totp', 'My phone', 'unverified', 'JBSWY3DPEHPK3PXP', now(), now())`,
    [customer.sub],
  )
  await sql.rows(
    `insert into auth.sessions (id, user_id, user_agent, ip, created_at) values (gen_random_uuid(), $1, 'Firefox', '105.1.0.7', now())`,
    [customer.sub],
  )
  for (const [status, subject] of [
    ['sent', 'Your order is confirmed'],
    ['queued', null],
  ])
    await sql.rows(
      `insert into public.mails (key, template, recipient, props, status, subject, sent_to, sent_at)
       values (gen_random_uuid()::text, 'refund', 'thandi@example.com', jsonb_build_object('orderId', $1::text), $2, $3,
         case $2 when 'sent' then 'thandi@example.com' end, case $2 when 'sent' then now() end)`,
      [order.id, status, subject],
    )
  await sql.as(await anAdmin(sql))

  expect(await sql.value('select public.export_client($1)', [customer.sub])).toMatchObject({
    account: {
      id: customer.sub,
      last_sign_in_at: expect.any(String),
      told_at_sign_up: { full_name: 'Thandi' },
    },
    roles: ['customer'],
    second_factors: [{ type: 'totp', name: 'My phone', status: 'unverified' }],
    sessions: [{ address: '105.1.0.7', browser: 'Firefox' }],
    mails_about_orders: [
      {
        order_number: order.order_number,
        subject: 'Your order is confirmed',
        sent_to: 'thandi@example.com',
      },
    ],
  })
})
