import { expect } from 'vitest'
import { aCustomer, anAdmin } from './shopping.ts'
import { test } from './sql.ts'

test.for([
  ['e-mail address', 'thandi@example.com'],
  ['phone number', '082 123 4567'],
  ['order number', '4711'],
  ['name', 'mokoena'],
])('finds no draft order by its %s', async ([, term], { sql }) => {
  const buyer = await aCustomer(sql)
  const draft = await sql.value(
    `insert into public.orders (customer_id, order_number, customer_email, customer_name, customer_phone, total_amount, shipping_cost,
       shipping_method, shipping_address, shipping_city, shipping_state, shipping_zip)
     values ($1, 4711, 'thandi@example.com', 'Thandi Mokoena', '082 123 4567', 210, 100,
       'door-to-door', '14 Beach Road', 'Durban', 'KwaZulu-Natal', '4001') returning id`,
    [buyer.sub],
  )
  const found = () => sql.rows('select id from public.search_orders($1)', [term])
  await sql.as(await anAdmin(sql))
  expect(await found()).toEqual([])

  await sql.asShop()
  await sql.rows('update public.orders set placed_at = now(), subtotal_amount = 110 where id = $1', [draft])
  await sql.as(await anAdmin(sql))
  expect(await found()).toEqual([{ id: draft }])
})
