import { readFile, writeFile } from 'node:fs/promises'
import { DatabaseError } from 'pg'
import { describe, expect } from 'vitest'
import {
  ACCESS,
  accessDocument,
  CALLABLE,
  CALLERS,
  type Columns,
  PEOPLE,
  type PersonName,
  type Verb,
  mayCall,
  VERBS,
  withPacker,
  withSecretKey,
} from './access.ts'
import { insertInto, rowsOf, type Scene, setScene, updateOf } from './access-attempts.ts'
import { type TestTransaction, test } from './sql.ts'
import { openShop } from '#test/shop.ts'

const DOCUMENT = new URL('../../docs/access.md', import.meta.url)

const RELATIONS = `select c.relname as name, (select a.attname from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 order by a.attnum limit 1) as column
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'm', 'p', 'f') order by c.relname`

const COLUMN_GRANTS = `select c.relname as table, acl.grantee::regrole::text as role, lower(acl.privilege_type) as verb, array_agg(a.attname::text order by a.attnum) as columns
  from pg_class c
  join pg_attribute a on a.attrelid = c.oid
  cross join lateral aclexplode(a.attacl) acl
  where c.relnamespace = 'public'::regnamespace and acl.grantee::regrole::text in ('anon', 'authenticated')
  group by c.relname, acl.grantee, acl.privilege_type order by 1, 2, 3`

function act(sql: TestTransaction, scene: Scene, person: PersonName): Promise<void> {
  const { customer, other, packer, admin } = scene
  const people = { customer, 'other customer': other, packer, admin }
  return sql.as(person === 'visitor' ? 'anon' : people[person])
}

function statementsOn(name: string, scene: Scene, column: string): Record<Verb, string> {
  return {
    select: `select from public.${name} where ${rowsOf(name, scene)}`,
    insert: insertInto(name, scene),
    update: updateOf(name, scene, column),
    delete: `delete from public.${name} where ${rowsOf(name, scene)}`,
  }
}

/** `+` the statement affected a row, `.` no row, `x` it was refused. */
async function attempt(sql: TestTransaction, statement: string): Promise<string> {
  await sql.rows('savepoint attempt')
  try {
    const returned = await sql.touched(statement)
    return returned > 0 ? '+' : '.'
  } catch (error) {
    // For read-only views PostgreSQL raises 55000 before it checks rights.
    if (error instanceof DatabaseError && ['42501', '55000'].includes(error.code ?? '')) return 'x'
    throw error
  } finally {
    await sql.rows('rollback to savepoint attempt')
  }
}

describe('table access', () => {
  // covers A6.2 A7.11 S6.7
  test('grants visitors, customers and admins exactly the documented table access', async ({ sql }) => {
    const scene = await setScene(sql)
    const relations = await sql.rows<{ name: string; column: string }>(RELATIONS)
    const measured: typeof ACCESS = {}

    for (const { name, column } of relations) {
      const statements = statementsOn(name, scene, column)
      const signs: Record<Verb, string> = { select: '', insert: '', update: '', delete: '' }
      for (const verb of VERBS) {
        for (const person of PEOPLE) {
          await act(sql, scene, person)
          signs[verb] += await attempt(sql, statements[verb])
          await sql.asShop()
        }
      }
      measured[name] = signs
    }

    expect(measured).toEqual(ACCESS)
  })

  // covers A37
  test('grants packers exactly the documented table access', async ({ sql }) => {
    const scene = await setScene(sql)
    const relations = await sql.rows<{ name: string; column: string }>(RELATIONS)
    const measured: Record<string, string> = {}

    await act(sql, scene, 'packer')
    for (const { name, column } of relations) {
      const statements = statementsOn(name, scene, column)
      // The general update cancels, which packers may not.
      if (name === 'orders')
        statements.update = `update public.orders set tracking_number = 'TCG-1' where id = '${scene.orderId}'`
      measured[name] = ''
      for (const verb of VERBS) measured[name] += await attempt(sql, statements[verb])
    }

    expect(measured).toEqual(Object.fromEntries(relations.map(({ name }) => [name, withPacker(name)])))
  })

  test('grants the secret key exactly the documented table access', async ({ sql }) => {
    const scene = await setScene(sql)
    const relations = await sql.rows<{ name: string; column: string }>(RELATIONS)
    const measured: Record<string, string> = {}

    await sql.as('service_role')
    for (const { name, column } of relations) {
      measured[name] = ''
      for (const statement of Object.values(statementsOn(name, scene, column))) {
        measured[name] += await attempt(sql, statement)
      }
    }

    expect(measured).toEqual(Object.fromEntries(relations.map(({ name }) => [name, withSecretKey(name)])))
  })

  test('rejects table access without an API key', async ({ sql }) => {
    const shop = await openShop()
    const relations = await sql.rows<{ name: string }>(RELATIONS)
    const answers = relations.flatMap(({ name }) =>
      ['GET', 'POST', 'PATCH', 'DELETE'].map((method) => shop.fetch(`/rest/v1/${name}?limit=1`, { method })),
    )

    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    await shop.close()

    expect(statuses).toEqual(relations.flatMap(() => [401, 401, 401, 401]))
  })

  test('matches the table access in docs/access.md', async ({ sql }) => {
    const columns: Columns = {}
    for (const grant of await sql.rows<{
      table: string
      role: 'anon' | 'authenticated'
      verb: Verb
      columns: string[]
    }>(COLUMN_GRANTS)) {
      ;((columns[grant.table] ??= {})[grant.role] ??= {})[grant.verb] = grant.columns
    }
    const document = accessDocument(columns)
    if (process.env['WRITE_DOCS']) await writeFile(DOCUMENT, document)

    expect(await readFile(DOCUMENT, 'utf8'), 'run this test with WRITE_DOCS=1 to update the page').toBe(
      document,
    )
  })
})

describe('function access', () => {
  test('grants each API function only to the documented callers', async ({ sql }) => {
    const scene = await setScene(sql)
    const functions = await sql.rows<{ name: string; arguments: number }>(
      `select proname as name, pronargs as arguments from pg_proc where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype order by 1`,
    )
    const callable: Record<string, PersonName[]> = {}

    for (const { name, arguments: count } of functions) {
      callable[name] = []
      for (const person of CALLERS) {
        await act(sql, scene, person)
        const refused = await sql
          .refusal(`select public.${name}(${Array(count).fill('null').join(', ')})`)
          .catch(() => ({ code: 'none' }))
        if (refused.code !== '42501') callable[name].push(person)
        await sql.asShop()
      }
    }

    for (const [name, people] of Object.entries(callable)) {
      // No function depends on the owner, so `customer` covers both.
      callable[name] = people.filter((person) => person !== 'other customer')
    }
    expect(callable).toEqual(Object.fromEntries(Object.keys(CALLABLE).map((name) => [name, mayCall(name)])))
  })

  test('grants private functions only to policies, constraints and views', async ({ sql }) => {
    const reachable = await sql.rows<{ name: string }>(
      `select distinct proname as name from pg_proc
      where pronamespace = 'private'::regnamespace
        and (has_function_privilege('anon', oid, 'execute') or has_function_privilege('authenticated', oid, 'execute'))
      order by 1`,
    )

    expect(reachable.map(({ name }) => name)).toEqual([
      'are_links',
      'are_pictures',
      'can_undo',
      'client_search_text',
      'display_name',
      'has_aal2',
      'held_amount',
      'is_admin',
      'is_email',
      'is_line',
      'is_link',
      'is_payment_being_confirmed',
      'is_staff',
      'is_staff_account',
      'is_tracking_url',
      'item_search_text',
      'mail_delivery',
      'noon_of',
      'normalise_email',
      'normalise_phone',
      'order_search_text',
      'promo_code_key',
      'refund_way',
      'reserved_quantity',
      'sales_with',
      'session_device',
      'staff_ids',
      'unpaid_by',
    ])
  })

  // SQL bodies in standard syntax (prosqlbody) are bound at creation and need no search path.
  test('pins every function’s search path, so callers cannot inject tables', async ({ sql }) => {
    expect(
      await sql.rows(
        `select p.oid::regprocedure::text as function from pg_proc p
        where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
          and p.prosqlbody is null and not coalesce(p.proconfig @> array['search_path=""'], false)`,
      ),
    ).toEqual([])
  })
})

describe('tables', () => {
  test('enables and forces row-level security on every table', async ({ sql }) => {
    expect(
      await sql.rows(
        `select oid::regclass::text as table from pg_class
        where relnamespace in ('public'::regnamespace, 'private'::regnamespace) and relkind in ('r', 'p') and not (relrowsecurity and relforcerowsecurity)`,
      ),
    ).toEqual([])
  })

  test('enables row-level security on the tables of auth and storage', async ({ sql }) => {
    expect(
      await sql.rows(
        `select oid::regclass::text as table from pg_class
        where relnamespace in ('auth'::regnamespace, 'storage'::regnamespace, 'realtime'::regnamespace) and relkind in ('r', 'p') and not relrowsecurity`,
      ),
    ).toEqual([])
  })

  test('denies API roles access to the tables of auth and private', async ({ sql }) => {
    expect(
      await sql.rows(
        `select c.oid::regclass::text as table, acl.grantee::regrole::text as grantee from pg_class c cross join lateral aclexplode(c.relacl) acl
        where c.relnamespace in ('auth'::regnamespace, 'private'::regnamespace) and (acl.grantee = 0 or acl.grantee::regrole::text in ('anon', 'authenticated', 'service_role'))`,
      ),
    ).toEqual([])
  })

  test('has a comment on every table and view', async ({ sql }) => {
    expect(
      await sql.rows(
        `select oid::regclass::text as table from pg_class
        where relnamespace in ('public'::regnamespace, 'private'::regnamespace) and relkind in ('r', 'v') and obj_description(oid, 'pg_class') is null`,
      ),
    ).toEqual([])
  })

  test('names policies after their command and indexes every foreign key', async ({ sql }) => {
    expect(
      await sql.rows(
        `select tablename, policyname from pg_policies
        where schemaname = 'public' and policyname not like lower(cmd) || '\\_%' and policyname <> 'cancel_own'`,
      ),
    ).toEqual([])
    expect(
      await sql.rows(
        `select c.conrelid::regclass::text as table, c.conname from pg_constraint c
        where c.contype = 'f' and c.connamespace = 'public'::regnamespace
          and not exists (select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1])`,
      ),
    ).toEqual([])
  })
})
