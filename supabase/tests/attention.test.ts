import { describe, expect } from 'vitest'
import type { Who } from '#test/database.ts'
import { aCustomer, anAdmin, markOrderPaid, orderOf, popper, setStock, type UserClaims } from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

async function countAs(sql: TestTransaction, admin: UserClaims): Promise<Record<string, number>> {
  await sql.as(admin)
  const counts = await sql.value<Record<string, number>>('select public.count_attention()')
  await sql.asShop()
  return counts
}

async function stepsOf(sql: TestTransaction, admin: Who): Promise<Record<string, boolean>> {
  await sql.as(admin)
  const steps = await sql.value<Record<string, boolean>>('select public.setup_steps()')
  await sql.asShop()
  return steps
}

describe('attention counts', () => {
  test('counts the orders that staff must make and the orders that staff must ship', async ({ sql }) => {
    const admin = await anAdmin(sql)
    const order = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
    await markOrderPaid(sql, order)
    const countWhen = async (status: string) => {
      await sql.rows('update public.orders set status = $2 where id = $1', [order.id, status])
      const { to_make, to_ship, awaiting_payment } = await countAs(sql, admin)
      return { to_make, to_ship, awaiting_payment }
    }

    const nothing = { to_make: 0, to_ship: 0, awaiting_payment: 0 }
    expect(await countWhen('new')).toEqual({ ...nothing, to_make: 1 })
    expect(await countWhen('processing')).toEqual({ ...nothing, to_ship: 1 })
    expect(await countWhen('shipped')).toEqual(nothing)
  })

  test('counts low-stock variants by available units, without reserved units', async ({ sql }) => {
    await sql.rows('update public.product_variants set stock_quantity = 100')
    await setStock(sql, popper, 4)
    await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })

    expect(await countAs(sql, await anAdmin(sql))).toMatchObject({ low_stock: 1, awaiting_payment: 1 })
  })

  test('does not count an order that its customer has not placed yet', async ({ sql }) => {
    const customer = await aCustomer(sql)
    await sql.as(customer)
    await sql.rows(
      `insert into public.orders (customer_id, total_amount, shipping_cost, shipping_method, shipping_address, shipping_city, shipping_state, shipping_zip)
       values ($1, 210, 100, 'door-to-door', '1 Beach Road', 'Durban', 'KwaZulu-Natal', '4001')`,
      [customer.sub],
    )
    await sql.asShop()

    expect(await countAs(sql, await anAdmin(sql))).toMatchObject({ awaiting_payment: 0 })
  })

  test('counts failed mails, but not those with a secret, which staff cannot send again', async ({ sql }) => {
    await sql.rows(
      `insert into public.mails (key, template, props, status, confidential) values
         ('a', 'account-closed', '{}', 'failed', false), ('b', 'account-closed', '{}', 'failed', true),
         ('c', 'account-closed', '{}', 'queued', false)`,
    )

    expect(await countAs(sql, await anAdmin(sql))).toMatchObject({ failed_mails: 1 })
  })

  test('counts only the photos that wait for a review', async ({ sql }) => {
    for (const status of ['pending', 'approved', 'declined']) {
      await sql.rows(
        `insert into public.gallery_submissions (customer_name, description, image_url, image_urls, status)
         values ('Sipho', 'A kingfish', '/a.jpg', '{/a.jpg}', $1)`,
        [status],
      )
    }

    expect(await countAs(sql, await anAdmin(sql))).toMatchObject({ pending_photos: 1 })
  })

  test('counts only unanswered messages', async ({ sql }) => {
    const admin = await anAdmin(sql)
    await sql.rows(
      `with written as (
         insert into public.contact_submissions (name, email, subject, message)
         select 'Sipho', 'sipho@example.com', 'A question', 'Which lure for kob, please?' from generate_series(1, 3)
         returning id
       )
       insert into public.contact_answers (submission_id, answered_by) select id, $1 from written limit 1`,
      [admin.sub],
    )

    expect(await countAs(sql, admin)).toMatchObject({ open_messages: 2 })
  })

  test('counts a day on which the gallery refused uploads as an issue', async ({ sql }) => {
    await sql.rows('insert into public.full_gallery_days (day) values (current_date)')

    expect(await countAs(sql, await anAdmin(sql))).toMatchObject({ issues: 1 })
  })
})

describe('setup steps', () => {
  test('are done with the caller’s own verified second factor, not with another one', async ({ sql }) => {
    const [admin, colleague] = [await anAdmin(sql), await anAdmin(sql)]
    await sql.rows('update public.shop_settings set requires_second_factor = false')
    const add = (person: UserClaims, status: string) =>
      sql.rows(
        `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
         values (gen_random_uuid(), $1, $2, 'totp', $2, 'secret', now(), now())`,
        [person.sub, status],
      )
    await add(colleague, 'verified')
    await add(admin, 'unverified')
    expect(await stepsOf(sql, admin)).toMatchObject({ second_factor: false })

    expect(await stepsOf(sql, { ...colleague, aal: 'aal2' })).toMatchObject({ second_factor: true })
  })

  test('are done with stock, or a lure made to order, that visitors can buy', async ({ sql }) => {
    const admin = await anAdmin(sql)
    const isStocked = async () => (await stepsOf(sql, admin)).stock
    await sql.rows(`update public.products set status = 'hidden', made_to_order = false`)
    await sql.rows('update public.product_variants set stock_quantity = 3')
    expect(await isStocked()).toBe(false)

    await sql.rows(`update public.products set status = 'live' where name = $1`, [popper.product_name])
    expect(await isStocked()).toBe(true)

    await sql.rows('update public.product_variants set stock_quantity = 0')
    expect(await isStocked()).toBe(false)
    await sql.rows('update public.products set made_to_order = true where name = $1', [popper.product_name])
    expect(await isStocked()).toBe(true)
  })

  test('are done with a paid order, not with an order that awaits payment', async ({ sql }) => {
    const admin = await anAdmin(sql)
    const order = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
    expect(await stepsOf(sql, admin)).toMatchObject({ first_order: false })

    await markOrderPaid(sql, order)

    expect(await stepsOf(sql, admin)).toMatchObject({ first_order: true })
  })
})
