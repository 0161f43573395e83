import { describe, expect } from 'vitest'
import { trackingUrlError } from '#domain/tracking.ts'
import { aCustomer, aPacker, anAdmin, orderOf, markOrderPaid, popper } from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

const COURIER = `(select id from public.courier_companies where name = 'The Courier Guy')`
const TRACK = 'https://courier.example/track?ref={number}'

async function aPaidOrder(sql: TestTransaction) {
  const order = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
  await markOrderPaid(sql, order)
  return order
}

test('lets admins edit and archive couriers and records each change', async ({ sql }) => {
  const admin = await anAdmin(sql)
  await sql.as(admin)

  const changed = await sql.row(
    `update public.courier_companies set name = 'Courier Guys', tracking_url = $1, is_archived = true
     where name = 'The Courier Guy' returning name, tracking_url, is_archived`,
    [TRACK],
  )

  expect(changed).toEqual({ name: 'Courier Guys', tracking_url: TRACK, is_archived: true })
  expect(
    await sql.row(
      `select actor_id, verb from public.history where table_name = 'courier_companies' order by id desc limit 1`,
    ),
  ).toEqual({ actor_id: admin.sub, verb: 'update' })
})

test('does not let packers change couriers, whose tracking links go into mails', async ({ sql }) => {
  await sql.as(await aPacker(sql))

  for (const insert of [
    `insert into public.courier_companies (name, tracking_url) values ('Bakkie', '${TRACK}')`,
    `insert into public.courier_companies (name, contact_phone) values ('Bakkie', '082 000 0000')`,
    `delete from public.courier_companies where id = ${COURIER}`,
  ]) {
    // oxlint-disable-next-line no-await-in-loop -- a session asks one thing at a time
    expect(await sql.refusal(insert)).toMatchObject({ code: '42501' })
  }
  expect(await sql.touched(`update public.courier_companies set name = 'Mine' where id = ${COURIER}`)).toBe(0)
  expect(await sql.rows(`select name from public.courier_companies where id = ${COURIER}`)).toHaveLength(1)
})

test.for([
  TRACK,
  'https://courier.example?l={number}',
  'http://courier.example/{number}',
  'https://courier.example/',
  'https://{number}.example/',
  'https://courier.example/{number} now',
  'javascript:alert({number})',
  '/track/{number}',
])('validates the tracking URL %s in the database as in the form', async (address, { sql }) => {
  await sql.as(await anAdmin(sql))
  const insert = `insert into public.courier_companies (name, tracking_url) values ('Bakkie', $1)`

  if (trackingUrlError(address) === null) await sql.rows(insert, [address])
  else expect(await sql.refusal(insert, [address])).toMatchObject({ constraint: 'malformed_tracking_url' })
})

test('keeps an archived courier on old orders and rejects new shipments with that courier', async ({
  sql,
}) => {
  const [sent, waiting] = [await aPaidOrder(sql), await aPaidOrder(sql)]
  await sql.as(await anAdmin(sql))
  const ship = `update public.orders set status = 'shipped', tracking_number = 'TCG 1', courier_company_id = ${COURIER} where id = $1`
  await sql.rows(ship, [sent.id])
  await sql.rows(`update public.courier_companies set is_archived = true where id = ${COURIER}`)

  expect(await sql.refusal(ship, [waiting.id])).toMatchObject({ code: 'PT409', reason: 'courier_archived' })
  await sql.rows(`update public.orders set tracking_number = 'TCG 2', status = 'delivered' where id = $1`, [
    sent.id,
  ])
  expect(await sql.value(`select public.guess_courier('TCG 3')`)).toBeNull()
})

test('uses a courier’s current tracking URL in mails and on the order page', async ({ sql }) => {
  const customer = await aCustomer(sql)
  const order = await orderOf(sql, customer, { lines: [popper], total: 210 })
  await markOrderPaid(sql, order)
  await sql.as(await anAdmin(sql))
  await sql.rows(`update public.courier_companies set tracking_url = $1 where id = ${COURIER}`, [TRACK])
  await sql.rows(
    `update public.orders set status = 'shipped', tracking_number = 'TCG 1', courier_company_id = ${COURIER} where id = $1`,
    [order.id],
  )
  await sql.asShop()
  await sql.rows('set constraints all immediate')

  expect(
    await sql.value(
      `select props -> 'courier' ->> 'trackingUrl' from public.mails
       where template = 'order-status-update' and props ->> 'orderId' = $1 order by id desc limit 1`,
      [order.id],
    ),
  ).toBe(TRACK)
  await sql.as(customer)
  expect(await sql.value(`select public.get_order($1) -> 'courier' ->> 'tracking_url'`, [order.id])).toBe(
    TRACK,
  )
})

describe('guess of a courier', () => {
  test('prefers a waybill of the same form to a newer one with the same letters', async ({ sql }) => {
    await shipOrder(sql, { waybill: 'TCG12345678', courier: 'The Courier Guy', hours: 2 })
    await shipOrder(sql, { waybill: 'TCG123', courier: 'Pudo', hours: 1 })

    expect(await guess(sql, 'tcg 8765 4321')).toBe('The Courier Guy')
  })

  test('prefers the newest of several waybills of one form', async ({ sql }) => {
    await shipOrder(sql, { waybill: 'TCG12345678', courier: 'The Courier Guy', hours: 2 })
    await shipOrder(sql, { waybill: 'TCG23456789', courier: 'Pudo', hours: 1 })

    expect(await guess(sql, 'TCG34567890')).toBe('Pudo')
  })

  test('guesses no courier from a waybill of four characters', async ({ sql }) => {
    await shipOrder(sql, { waybill: 'TCG12', courier: 'Pudo', hours: 1 })

    expect([await guess(sql, 'TCG1'), await guess(sql, 'TCG34')]).toEqual([undefined, 'Pudo'])
  })
})

/** Ships an order with this waybill number, so many hours ago. */
async function shipOrder(
  sql: TestTransaction,
  { waybill, courier, hours }: { waybill: string; courier: string; hours: number },
): Promise<void> {
  const order = await aPaidOrder(sql)
  await sql.rows(
    `update public.orders set tracking_number = $2, created_at = now() - make_interval(hours => $4),
       courier_company_id = (select id from public.courier_companies where name = $3) where id = $1`,
    [order.id, waybill, courier, hours],
  )
}

async function guess(sql: TestTransaction, waybill: string) {
  await sql.as(await anAdmin(sql))
  const rows = await sql.rows<{ name: string }>(
    'select name from public.courier_companies where id = public.guess_courier($1)',
    [waybill],
  )
  await sql.asShop()
  return rows[0]?.name
}
