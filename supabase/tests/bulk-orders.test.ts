import { describe, expect } from 'vitest'
import {
  aCustomer,
  anAdmin,
  orderOf,
  markOrderPaid,
  popper,
  riggedStickBait,
  stockCounts,
} from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

const SET = 'select public.set_order_statuses($1, $2)'

async function paidOrder(sql: TestTransaction, email?: string) {
  const order = await orderOf(sql, await aCustomer(sql, email), { lines: [popper], total: 210 })
  await markOrderPaid(sql, order)
  return order
}

describe('bulk status change', () => {
  // covers A4
  test('sets the status of many orders and explains why other orders are skipped', async ({ sql }) => {
    const paid = await paidOrder(sql)
    const processing = await paidOrder(sql)
    const unpaid = await orderOf(sql, await aCustomer(sql), { lines: [riggedStickBait], total: 600 })
    await sql.as(await anAdmin(sql))
    await sql.rows(SET, [[processing.id], 'processing'])

    const result = await sql.value(SET, [[paid.id, processing.id, unpaid.id, paid.id], 'processing'])

    expect(result).toEqual({
      done: [paid.id],
      skipped: expect.arrayContaining([
        { order_number: processing.order_number, reason: 'It already has this status.' },
        {
          order_number: unpaid.order_number,
          reason: expect.stringContaining('This order is not paid yet.'),
        },
      ]),
    })
  })

  test('skips an order in bulk whose status has changed since the user saw it', async ({ sql }) => {
    const [same, shipped, cancelled] = [await paidOrder(sql), await paidOrder(sql), await paidOrder(sql)]
    await sql.as(await anAdmin(sql))
    await sql.rows(`update public.orders set status = 'delivered' where id = $1`, [shipped.id])
    await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [cancelled.id])

    const result = await sql.value('select public.set_order_statuses($1, $2, $3)', [
      [shipped.id, same.id, cancelled.id],
      'processing',
      ['new', 'new', 'new'],
    ])

    expect(result).toEqual({
      done: [same.id],
      skipped: expect.arrayContaining([
        { order_number: shipped.order_number, reason: 'Someone has changed it in the meantime.' },
        { order_number: cancelled.order_number, reason: 'It is cancelled. Open it to reinstate it.' },
      ]),
    })
  })

  test('ships in bulk only orders with a tracking number and a courier', async ({ sql }) => {
    const [ready, bare] = [await paidOrder(sql), await paidOrder(sql)]
    await sql.as(await anAdmin(sql))
    await sql.rows(
      `update public.orders set tracking_number = 'TCG1', courier_company_id = (select id from public.courier_companies limit 1) where id = $1`,
      [ready.id],
    )

    expect(await sql.value(SET, [[ready.id, bare.id], 'shipped'])).toEqual({
      done: [ready.id],
      skipped: [{ order_number: bare.order_number, reason: 'It has no tracking number or courier yet.' }],
    })
  })

  test('cancels many paid orders at once and returns the stock', async ({ sql }) => {
    const before = await stockCounts(sql, popper)
    const orders = [await paidOrder(sql), await paidOrder(sql)]
    await sql.as(await anAdmin(sql))

    await sql.rows(SET, [orders.map(({ id }) => id), 'cancelled'])

    await sql.asShop()
    expect(await stockCounts(sql, popper)).toMatchObject({ stock: before.stock })
  })

  test('limits bulk status changes to staff, known statuses and 500 orders', async ({ sql }) => {
    const order = await paidOrder(sql)
    const [customer, admin] = [await aCustomer(sql), await anAdmin(sql)]
    await sql.as(customer)
    expect(await sql.refusal(SET, [[order.id], 'cancelled'])).toMatchObject({ code: '42501' })

    await sql.as(admin)
    const many = Array.from({ length: 501 }, () => order.id)
    expect(await sql.refusal(SET, [many, 'cancelled'])).toMatchObject({ reason: 'too_many_orders' })
    expect(await sql.refusal(SET, [[order.id], 'pending_payment'])).toMatchObject({
      reason: 'invalid_status',
    })
  })
})

test('previews no cancellation of orders that are cancelled already', async ({ sql }) => {
  const [paid, cancelled] = [await paidOrder(sql), await paidOrder(sql)]
  await sql.as(await anAdmin(sql))
  await sql.rows(SET, [[cancelled.id], 'cancelled'])

  expect(await sql.value('select public.preview_cancellation($1)', [[paid.id, cancelled.id]])).toMatchObject({
    orders: 1,
  })
})

test('sends each buyer one bulk e-mail, about the buyer’s newest order', async ({ sql }) => {
  const older = await paidOrder(sql)
  const newer = await paidOrder(sql)
  await sql.as(await anAdmin(sql))

  const answer = await sql.value(`select public.email_buyers($1, 'Holidays', 'We are at the coast.')`, [
    [older.id, newer.id],
  ])

  expect(answer).toMatchObject({
    done: [expect.any(String)],
    skipped: [{ reason: 'The same customer gets one e-mail, about a newer order.' }],
  })
  const mails = await sql.rows(
    `select recipient, props ->> 'subject' as subject from public.mails where template = 'admin-email'`,
  )
  expect(mails).toEqual([{ recipient: 'thandi@example.com', subject: 'Holidays' }])
  expect(await sql.refusal(`select public.email_buyers($1, '', 'Hello')`, [[older.id]])).toMatchObject({
    reason: 'invalid_email_text',
    message: 'Please fill in all fields',
  })
})

test('sends the same words to a buyer once a day, and skips the orders that get no second e-mail', async ({
  sql,
}) => {
  const order = await paidOrder(sql)
  await sql.as(await anAdmin(sql))
  const email = (words: string) =>
    sql.value(`select public.email_buyers($1, 'Holidays', $2)`, [[order.id], words])
  const sent = { done: [order.id], skipped: [] }

  expect(await email('We are at the coast.')).toEqual(sent)
  expect(await email('We are at the coast.')).toEqual({
    done: [],
    skipped: [
      { order_number: order.order_number, reason: 'The same customer was already e-mailed this text today.' },
    ],
  })
  expect(await email('We are back.')).toEqual(sent)

  expect(
    await sql.rows(
      `select props ->> 'message' as message from public.mails where template = 'admin-email' order by 1`,
    ),
  ).toEqual([{ message: 'We are at the coast.' }, { message: 'We are back.' }])
})

test('writes to the account of an order without an e-mail address, and skips an order without both', async ({
  sql,
}) => {
  const [withAccount, withoutAccount] = [await paidOrder(sql, 'lerato@example.com'), await paidOrder(sql)]
  await sql.rows('update public.orders set customer_email = null')
  await sql.rows('update public.orders set customer_id = null where id = $1', [withoutAccount.id])
  await sql.as(await anAdmin(sql))

  expect(
    await sql.value(`select public.email_buyers($1, 'Holidays', 'We are at the coast.')`, [
      [withAccount.id, withoutAccount.id],
    ]),
  ).toEqual({
    done: [withAccount.id],
    skipped: [{ order_number: withoutAccount.order_number, reason: 'It has no e-mail address.' }],
  })
  expect(await sql.rows(`select recipient from public.mails where template = 'admin-email'`)).toEqual([
    { recipient: 'lerato@example.com' },
  ])
})

// covers A13
test('guesses the courier from earlier waybills of the same format', async ({ sql }) => {
  const order = await paidOrder(sql)
  const admin = await anAdmin(sql)
  await sql.as(admin)
  const pudo = await sql.value(
    `update public.orders set tracking_number = 'PUD 123456', courier_company_id = (select id from public.courier_companies where name = 'Pudo')
    where id = $1 returning courier_company_id`,
    [order.id],
  )
  const guess = (waybill: string) => sql.value('select public.guess_courier($1)', [waybill])

  expect(await guess('pud654321')).toBe(pudo)
  expect(await guess('PUD65432109')).toBe(pudo)
  expect(await guess('123456789')).toBeNull()
})
