import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import {
  databaseAt,
  isLongRun,
  postgresUrl,
  startPostgres,
  prepareApplication,
} from '@saltfreak/backend/testing'
import { shopApplication } from '#server/prepare-database.ts'
import { databaseWithoutShop, shopDatabase } from '#test/database.ts'

const RIGHTS = `select c.oid::regclass::text as name, acl.grantee::regrole::text as grantee, acl.privilege_type as may
  from pg_class c cross join lateral aclexplode(c.relacl) acl
  where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace) and acl.grantee <> c.relowner
  union all
  select p.oid::regprocedure::text, case acl.grantee when 0 then 'everybody' else acl.grantee::regrole::text end, acl.privilege_type
  from pg_proc p cross join lateral aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) acl
  where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace) and acl.grantee <> p.proowner
  order by 1, 2, 3`

it('grants the same rights in a database with open default privileges', async () => {
  const closed = await shopDatabase()
  const open = await databaseWithoutShop('bare')
  try {
    await open.database.owner.query(`
      alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
      alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
      alter default privileges in schema public grant all on functions to anon, authenticated, service_role`)

    await prepareApplication(open, await shopApplication())

    expect((await open.database.owner.query(RIGHTS)).rows).toEqual(
      (await closed.database.owner.query(RIGHTS)).rows,
    )
  } finally {
    await open.close()
    await closed.close()
  }
})

it('seeds a database again without overwriting the shop’s changes', async () => {
  const shop = await shopDatabase()
  const { owner } = shop.database
  const everything = `select p.slug, p.price, v.slug as colour, v.stock_quantity, (select count(*) from public.stock_movements) as movements,
    (select count(*) from public.promo_codes) as codes, (select count(*) from storage.buckets) as buckets, (select count(*) from public.courier_companies) as couriers
    from public.products p join public.product_variants v on v.product_id = p.id order by 1, 3`
  try {
    await owner.query(
      `update public.products set price = 115; delete from public.product_variants where slug = 'slachback'`,
    )
    const before = (await owner.query(everything)).rows

    await owner.query('delete from supabase_migrations.seed_files')
    await prepareApplication(shop, await shopApplication())

    expect((await owner.query(everything)).rows).toEqual(before)
  } finally {
    await shop.close()
  }
})

it.runIf(isLongRun)(
  'installs the schema as a database user who is neither superuser nor postgres',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hosting-'))
    const server = await startPostgres(folder, { durable: false })
    try {
      const url = postgresUrl(server, 'supabase_admin')
      const superuser = new Client({ connectionString: url })
      await superuser.connect()
      await superuser.query(`create role angler login createrole bypassrls password '${server.password}'`)
      await superuser.query('create database angler owner angler')
      await superuser.end()
      const ownUrl = databaseAt(url, 'angler', 'angler')

      await prepareApplication({ url: ownUrl, superuserUrl: ownUrl }, await shopApplication())

      const owner = new Client({ connectionString: ownUrl })
      await owner.connect()
      await owner.query('begin')
      await owner.query('set local role anon')
      expect((await owner.query('select count(*)::int from public.product_availability')).rows).toEqual([
        { count: 15 },
      ])
      await owner.end()
    } finally {
      await server.stop()
      await rm(folder, { recursive: true })
    }
  },
)
