import { expect } from 'vitest'
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
