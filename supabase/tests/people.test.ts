import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { aCustomer, orderOf, popper } from './shopping.ts'
import { test } from './sql.ts'

describe('account', () => {
  test('creates an account with a profile and the role customer', async ({ sql }) => {
    const id = randomUUID()
    await sql.rows('insert into auth.users (id, email, raw_user_meta_data) values ($1, $2, $3)', [
      id,
      'sipho@example.com',
      { full_name: ' Sipho Ndlovu ' },
    ])

    expect(await sql.row('select email, full_name, phone from public.profiles where id = $1', [id])).toEqual({
      email: 'sipho@example.com',
      full_name: 'Sipho Ndlovu',
      phone: null,
    })
    expect(await sql.rows('select role from public.user_roles where user_id = $1', [id])).toEqual([
      { role: 'customer' },
    ])
  })

  test.for([
    ['a very long name', { full_name: 'x'.repeat(5000) }],
    ['a name of several lines', { full_name: 'Sipho\r\nBcc: all@example.com' }],
    ['a name that is no text', { full_name: { first: 'Sipho' } }],
    ['no name', {}],
    ['a list instead of fields', []],
    ['nothing', null],
  ] as const)('creates an account when the sign-up metadata contains %s', async ([, metadata], { sql }) => {
    const id = randomUUID()
    await sql.rows('insert into auth.users (id, email, raw_user_meta_data) values ($1, $2, $3::jsonb)', [
      id,
      'sipho@example.com',
      JSON.stringify(metadata),
    ])

    expect(
      await sql.value(
        `select coalesce(full_name !~ '[[:cntrl:]]' and length(full_name) <= 100, true) from public.profiles where id = $1`,
        [id],
      ),
    ).toBe(true)
  })

  test('copies a changed e-mail address to the profile, whose address customers cannot edit', async ({
    sql,
  }) => {
    const customer = await aCustomer(sql)
    await sql.rows('update auth.users set email = $2 where id = $1', [customer.sub, 'new@example.com'])
    expect(await sql.value('select email from public.profiles where id = $1', [customer.sub])).toBe(
      'new@example.com',
    )

    await sql.as(customer)
    expect(
      await sql.refusal(`update public.profiles set email = 'mine@example.com' where id = $1`, [
        customer.sub,
      ]),
    ).toMatchObject({ code: '42501' })
  })

  test('changes only the customer’s own profile even without a condition', async ({ sql }) => {
    await aCustomer(sql)
    await sql.as(await aCustomer(sql))

    expect(await sql.touched(`update public.profiles set city = 'Durban'`)).toBe(1)
  })

  test('keeps the orders of a deleted account without a link to the account', async ({ sql }) => {
    const customer = await aCustomer(sql)
    const order = await orderOf(sql, customer, { lines: [popper], total: 210 })

    await sql.rows('delete from auth.users where id = $1', [customer.sub])

    expect(
      await sql.row('select customer_id, customer_name from public.orders where id = $1', [order.id]),
    ).toEqual({
      customer_id: null,
      customer_name: 'Thandi Mokoena',
    })
    expect(await sql.rows('select id from public.profiles where id = $1', [customer.sub])).toEqual([])
  })
})

describe('profile', () => {
  test.for([
    ['full_name', 'x'.repeat(101)],
    ['phone', '0'.repeat(21)],
    ['address', 'x'.repeat(201)],
    ['city', 'Dur\nban'],
    ['zip_code', '12345678901'],
  ] as const)(
    'rejects a profile’s %s that is too long or contains a line break',
    async ([column, value], { sql }) => {
      const customer = await aCustomer(sql)
      await sql.as(customer)

      expect(
        await sql.refusal(`update public.profiles set ${column} = $2 where id = $1`, [customer.sub, value]),
      ).toMatchObject({ constraint: `malformed_${column}` })
    },
  )
})

describe('normalisation', () => {
  test.for([
    ['Thandi@Example.com ', 'thandi@example.com'],
    ['thandi+lures@example.com', 'thandi@example.com'],
    ['t.handi+x@GoogleMail.com', 'thandi@gmail.com'],
    ['t.handi@example.com', 't.handi@example.com'],
    ['nonsense', null],
    [null, null],
  ] as const)('normalises the e-mail address %s to %s', async ([spelling, person], { sql }) => {
    expect(await sql.value('select private.normalise_email($1)', [spelling])).toBe(person)
  })

  test.for([
    ['082 123 4567', '+27821234567'],
    ['+27 82 123 4567', '+27821234567'],
    ['0027821234567', '+27821234567'],
    ['+27 (0)82 123 4567', '+27821234567'],
    ['27821234567', '+27821234567'],
    ['+44 20 7946 0958', '+442079460958'],
    ['', null],
    [null, null],
  ] as const)('normalises the phone number %s to %s', async ([spelling, number], { sql }) => {
    expect(await sql.value('select private.normalise_phone($1)', [spelling])).toBe(number)
  })
})
