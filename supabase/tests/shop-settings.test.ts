import { describe, expect } from 'vitest'
import { aCustomer, anAdmin, orderOf, type UserClaims, popper, putInCart } from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

const withSecondFactor = (person: UserClaims) => ({ ...person, aal: 'aal2' })

const quote = (sql: TestTransaction) =>
  sql.value<{ shipping: number; total: number }>('select public.quote_cart()')

describe('shipping settings', () => {
  test('charges the shipping rate of the settings page, or the rate of shop.config.ts', async ({ sql }) => {
    const [customer, admin] = [await aCustomer(sql), await anAdmin(sql)]
    await sql.as(customer)
    await putInCart(sql)
    expect((await quote(sql)).shipping).toBe(100)

    await sql.as(admin)
    await sql.rows('update public.shop_settings set shipping_rate = 60, free_shipping_from = 900')
    await sql.as(customer)

    expect((await quote(sql)).shipping).toBe(60)
    expect(await sql.value('select public.shop_terms()')).toEqual({
      shipping_rate: 60,
      free_shipping_from: 900,
      offers_locker: true,
    })
    await sql.asShop()
    const order = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 170 })
    expect(await sql.value('select shipping_cost from public.orders where id = $1', [order.id])).toBe('60.00')
  })

  test('charges the rate of shop.config.ts again when the shipping setting is removed', async ({ sql }) => {
    await sql.as(await anAdmin(sql))
    await sql.rows('update public.shop_settings set shipping_rate = 60')
    await sql.rows('update public.shop_settings set shipping_rate = null')

    expect(await sql.value(`select public.shop_terms() ->> 'shipping_rate'`)).toBe('100.00')
  })

  test('refuses locker delivery while lockers are switched off', async ({ sql }) => {
    await sql.as(await anAdmin(sql))
    await sql.rows('update public.shop_settings set offers_locker = false')
    const customer = await aCustomerOf(sql)
    await sql.as(customer)

    const refusal = await sql.refusal(
      `insert into public.orders (customer_id, total_amount, shipping_cost, shipping_method, shipping_address, shipping_city, shipping_state, shipping_zip)
       values ($1, 210, 100, 'locker', '14 Beach Road', 'Durban', 'KwaZulu-Natal', '4001')`,
      [customer.sub],
    )

    expect(refusal).toMatchObject({ code: 'PT422', reason: 'invalid_delivery' })
    expect(refusal.facts).toHaveProperty('shipping_method')
  })

  test('lets admins enter orders for lockers while lockers are switched off', async ({ sql }) => {
    const admin = await anAdmin(sql)
    await sql.as(admin)
    await sql.rows('update public.shop_settings set offers_locker = false')

    await sql.rows(
      `insert into public.orders (customer_id, total_amount, shipping_cost, shipping_method, shipping_address, shipping_city, shipping_state, shipping_zip)
       values ($1, 210, 100, 'locker', '14 Beach Road', 'Durban', 'KwaZulu-Natal', '4001')`,
      [admin.sub],
    )
  })
})

async function aCustomerOf(sql: TestTransaction): Promise<UserClaims> {
  await sql.asShop()
  return aCustomer(sql)
}

describe('second factor of staff', () => {
  test('does not let an admin without a second factor require second factors from staff', async ({ sql }) => {
    await sql.as(await anAdmin(sql))

    const refusal = await sql.refusal('update public.shop_settings set requires_second_factor = true')

    expect(refusal).toMatchObject({ code: 'PT409', reason: 'no_second_factor' })
  })

  // covers A38
  test('denies admin rights without the required second factor and reports the reason', async ({ sql }) => {
    const [owner, brother] = [await anAdmin(sql), await anAdmin(sql)]
    await sql.as(withSecondFactor(owner))
    await sql.rows('update public.shop_settings set requires_second_factor = true')

    await sql.as(brother)
    expect(await sql.value('select private.is_admin()')).toBe(false)
    expect(await sql.touched('select from public.promo_codes')).toBe(0)
    expect(await sql.touched('update public.shop_settings set requires_second_factor = false')).toBe(0)
    expect(await sql.value('select public.must_add_second_factor()')).toBe(true)

    await sql.as(withSecondFactor(brother))
    expect(await sql.value('select private.is_admin()')).toBe(true)
    expect(await sql.value('select public.must_add_second_factor()')).toBe(false)
  })

  test('does not require a second factor from customers', async ({ sql }) => {
    const customer = await aCustomer(sql)
    await sql.as(withSecondFactor(await anAdmin(sql)))
    await sql.rows('update public.shop_settings set requires_second_factor = true')
    await sql.as(customer)

    expect(await sql.value('select public.must_add_second_factor()')).toBe(false)
    expect(await sql.touched('select from public.profiles')).toBe(1)
  })

  test('does not let an admin without a second factor require second factors by an undo', async ({ sql }) => {
    const admin = await anAdmin(sql)
    await sql.as(withSecondFactor(admin))
    await sql.rows('update public.shop_settings set requires_second_factor = true')
    await sql.rows('update public.shop_settings set requires_second_factor = false')
    const taken = await sql.value<string>(
      `select max(id) from public.changes where table_name = 'shop_settings'`,
    )
    await sql.as(admin)

    expect(await sql.refusal('select public.undo_change($1)', [taken])).toMatchObject({
      reason: 'no_second_factor',
    })
  })
})

describe('second-factor setting', () => {
  test.for([
    { setting: null, isPublic: true, isRequired: true },
    { setting: null, isPublic: false, isRequired: false },
    { setting: false, isPublic: true, isRequired: false },
    { setting: true, isPublic: false, isRequired: true },
  ])(
    'derives second factor required=$isRequired from setting $setting and public address $isPublic',
    async ({ setting, isPublic, isRequired }, { sql }) => {
      const admin = await anAdmin(sql)
      await sql.asShop()
      await sql.rows('select private.set_public_address($1)', [isPublic])
      await sql.rows('alter table public.shop_settings disable trigger user')
      await sql.rows('update public.shop_settings set requires_second_factor = $1', [setting])

      await sql.as({ ...admin, aal: 'aal1' })
      expect(await sql.value('select private.is_admin()')).toBe(!isRequired)
      expect(await sql.value('select public.must_add_second_factor()')).toBe(isRequired)
      await sql.as({ ...admin, aal: 'aal2' })
      expect(await sql.value('select public.second_factor_rule()')).toEqual({
        is_required: isRequired,
        is_public_address: isPublic,
      })
    },
  )
})
