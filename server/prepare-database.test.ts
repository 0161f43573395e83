import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  backendSource,
  catalogueDifferences,
  checksumProblems,
  snapshotCatalogue,
  inspectApplication,
  prepareApplication,
} from '@saltfreak/backend/testing'
import { databaseWithoutShop, shopDatabase, type TestDatabase } from '#test/database.ts'
import { shopApplication, shopSource } from './prepare-database.ts'

let shop: TestDatabase

beforeAll(async () => {
  shop = await shopDatabase()
})

afterAll(() => shop.close())

describe('prepareApplication', () => {
  it(
    'creates the same schema in an empty database as in a database with the backend',
    { timeout: 60_000 },
    async () => {
      const empty = await databaseWithoutShop('template1')
      // As in a new cluster, where the superuser owns everything.
      const name = new URL(empty.url).pathname.slice(1)
      const client = new Client({ connectionString: empty.superuserUrl })
      await client.connect()
      await client.query(`alter database ${name} owner to supabase_admin`)
      await client.end()
      expect(await inspectApplication(empty, await shopApplication())).toBe('fresh')

      await prepareApplication(empty, await shopApplication())

      expect(
        catalogueDifferences(await snapshotCatalogue(shop.url), await snapshotCatalogue(empty.url)),
      ).toEqual([])
      expect(await inspectApplication(empty, await shopApplication())).toBe('current')
      await empty.close()
    },
  )

  it('changes nothing when every repeatable SQL file is applied again', { timeout: 60_000 }, async () => {
    const before = await snapshotCatalogue(shop.url)
    await shop.database.owner.query('delete from supabase_migrations.repeatable_files')
    expect(await inspectApplication(shop, await shopApplication())).toBe('code')

    await prepareApplication(shop, await shopApplication())

    expect(catalogueDifferences(before, await snapshotCatalogue(shop.url))).toEqual([])
  })
})

describe('the SQL files', () => {
  it('matches the frozen checksums of all versioned SQL files', async () => {
    expect(await checksumProblems(shopSource(null).migrations)).toEqual([])
    expect(await checksumProblems(backendSource.migrations)).toEqual([])
  })

  it('defines functions for indexes, constraints and generated columns in versioned files', async () => {
    const { rows } = await shop.database.owner.query<{ used: string }>(USED_BY_DATA)
    const { rows: files } = await shop.database.owner.query<{ identity: string }>(
      `select object ->> 'identity' as identity
      from supabase_migrations.repeatable_files, jsonb_array_elements(objects) object
      where object ->> 'kind' = 'function'`,
    )
    const repeatable = new Set(files.map(({ identity }) => nameIn(identity)))

    expect(rows.length).toBeGreaterThan(0)
    expect(rows.map(({ used }) => used).filter((used) => repeatable.has(nameIn(used)))).toEqual([])
  })
})

/** Replacing such a function would not recompute or recheck the rows that the old one computed or accepted. */
const USED_BY_DATA = `
  select distinct 'function ' || d.refobjid::regprocedure::text as used
  from pg_depend d
    join pg_proc p on p.oid = d.refobjid and d.refclassid = 'pg_proc'::regclass
    join pg_namespace n on n.oid = p.pronamespace
  where d.classid in ('pg_constraint'::regclass, 'pg_class'::regclass, 'pg_attrdef'::regclass)
    and n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'extensions', 'graphile_worker')`

/** Without the types, which PostgreSQL and the files write differently. */
function nameIn(identity: string): string {
  return identity.replace(/\(.*$/, '')
}
