import { describe, expect } from 'vitest'
import { shop } from '#shop'
import { aCustomer, orderOf, popper } from './shopping.ts'
import { test } from './sql.ts'

const ONE_POPPER = { lines: [popper], total: 210 }

describe('order times', () => {
  test('stores the order time limits of shop.config.ts', async ({ sql }) => {
    const { reservationMinutes, reservationLimitMinutes, unpaidExpireHours, remindAfterMinutes } = shop.orders

    expect(
      await sql.row(
        'select reservation_minutes, reservation_limit_minutes, unpaid_expire_hours, remind_after_minutes from private.shop_rules',
      ),
    ).toEqual({
      reservation_minutes: reservationMinutes,
      reservation_limit_minutes: reservationLimitMinutes,
      unpaid_expire_hours: unpaidExpireHours,
      remind_after_minutes: remindAfterMinutes,
    })
  })

  test('applies the configured reservation and expiry times to orders', async ({ sql }) => {
    await sql.rows(`select private.set_shop_rules('{"reservation_minutes": 7, "unpaid_expire_hours": 3}')`)
    const order = await orderOf(sql, await aCustomer(sql), ONE_POPPER)
    const times = () =>
      sql.row(
        `select reserved_until - now() = interval '7 minutes' as held, expires_at - now() = interval '3 hours' as waits,
           (select h.expires_at - now() from public.stock_reservations h where h.order_id = o.id) = interval '7 minutes' as shelf_waits
         from public.orders o where id = $1`,
        [order.id],
      )
    expect(await times()).toEqual({ held: true, waits: true, shelf_waits: true })

    await sql.rows(`select private.set_shop_rules('{"reservation_minutes": 9, "unpaid_expire_hours": 5}')`)
    await sql.rows('select private.renew_reservation($1)', [order.id])

    expect(await times()).toEqual({ held: false, waits: false, shelf_waits: false })
  })

  test('applies the configured limit of reservation time per customer', async ({ sql }) => {
    await sql.rows(`select private.set_shop_rules('{"reservation_limit_minutes": 4}')`)
    const order = await orderOf(sql, await aCustomer(sql), ONE_POPPER)

    expect(
      await sql.value(
        `select reserved_until - now() = interval '4 minutes' from public.orders where id = $1`,
        [order.id],
      ),
    ).toBe(true)
  })

  test('reminds a buyer at the configured time, once', async ({ sql }) => {
    await sql.rows(`select private.set_shop_rules('{"remind_after_minutes": 50}')`)
    await orderOf(sql, await aCustomer(sql), ONE_POPPER)
    const remindAfter = async (minutes: number) => {
      await sql.rows(`update public.orders set reserved_until = now() - make_interval(mins => $1)`, [minutes])
      return sql.value('select private.remind_unpaid_orders()')
    }

    expect([await remindAfter(49), await remindAfter(51), await remindAfter(60)]).toEqual([0, 1, 0])
  })

  test.for([
    '{"reservation_minutes": 0}',
    '{"reservation_limit_minutes": 0}',
    '{"unpaid_expire_hours": 0}',
    '{"remind_after_minutes": -1}',
    '{"refund_way": "by_post"}',
  ])('rejects invalid shop rules: %s', async (rules, { sql }) => {
    expect(await sql.refusal('select private.set_shop_rules($1)', [rules])).toMatchObject({ code: '23514' })
  })
})
