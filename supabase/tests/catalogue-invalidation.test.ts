import { expect } from 'vitest'
import { aCustomer, orderOf, popper, riggedStickBait } from './shopping.ts'
import { test } from './sql.ts'

/** Readable by visitors but not shown on pages: their own input, or a customer's rows. */
const ON_NO_PAGE = ['contact_submissions', 'newsletter_signups', 'gallery_contacts', 'couriers']

test('notifies the server of changes in every table that pages show', async ({ sql }) => {
  const silent = await sql.rows<{ table: string }>(
    `select c.relname as table
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and has_table_privilege('anon', c.oid, 'select')
       and not exists (select from pg_trigger t where t.tgname = 'notify_catalogue_change' and t.tgrelid = c.oid)
     order by 1`,
  )

  expect(silent.map(({ table }) => table).filter((table) => !ON_NO_PAGE.includes(table))).toEqual([])
})

test('returns no next reservation expiry when nothing is reserved', async ({ sql }) => {
  expect(await sql.value('select private.next_reservation_end()')).toBeNull()
})

test('returns the earliest expiry of several reservations', async ({ sql }) => {
  await orderOf(sql, await aCustomer(sql), { lines: [riggedStickBait], total: 600 })
  const earliest = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
  await sql.rows(
    `update public.stock_reservations set expires_at = now() + interval '1 minute' where order_id = $1`,
    [earliest.id],
  )

  expect(await sql.value(`select private.next_reservation_end() - now() = interval '1 minute'`)).toBe(true)
})
