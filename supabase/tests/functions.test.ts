import { expect } from 'vitest'
import { test } from './sql.ts'

/** PL/pgSQL resolves names at run time, so a call of a dropped function fails only when it runs. */
test('names in SQL functions only functions and tables that exist', async ({ sql }) => {
  const missing = await sql.rows<{ caller: string; called: string }>(
    `select distinct p.oid::regprocedure::text as caller, named[1] || '.' || named[2] as called
     from pg_proc p
     join pg_namespace n on n.oid = p.pronamespace,
       regexp_matches(regexp_replace(p.prosrc, '--[^\\n]*', '', 'g'), '\\m(private|public)\\.(\\w+)\\s*\\(', 'g') as named
     where n.nspname in ('private', 'public')
       and not exists (
         select from pg_proc called
         where called.pronamespace = named[1]::regnamespace and called.proname = named[2])
       -- \`insert into public.orders (…\` names a table.
       and to_regclass(named[1] || '.' || named[2]) is null`,
  )

  expect(missing).toEqual([])
})
