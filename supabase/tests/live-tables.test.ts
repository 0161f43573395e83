import { expect } from 'vitest'
import { ADMIN_PAGES } from '#app/admin/pages.ts'
import { test } from './sql.ts'

const ADVICE =
  'The server rejects a subscription to an unpublished table, which ends all live updates of the admin area. ' +
  'Remove the table from `live` in app/admin/pages.ts, or publish it in a migration: ' +
  'alter publication supabase_realtime add table …'

test('publishes the changes of every table that an admin page follows live', async ({ sql }) => {
  const followed = new Set(ADMIN_PAGES.flatMap(({ live = {} }) => Object.keys(live)))
  const published = await sql.value<string[]>(
    `select array_agg(tablename::text) from pg_publication_tables
     where pubname = 'supabase_realtime' and schemaname = 'public'`,
  )

  expect(followed.size).toBeGreaterThan(2)
  expect(
    [...followed].filter((table) => !published.includes(table)),
    ADVICE,
  ).toEqual([])
})
