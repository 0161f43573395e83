import { afterAll, beforeAll, expect, it } from 'vitest'

import { shopDatabase, type TestDatabase } from '#test/database.ts'

let shop: TestDatabase

beforeAll(async () => {
  shop = await shopDatabase()
})
afterAll(() => shop.close())

it('has no duplicate indexes in the database', async () => {
  const { rows } = await shop.database.owner.query(`
    select array_agg(i.indexrelid::regclass::text order by 1) as same
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
    group by i.indrelid, c.relam, i.indkey::text, i.indclass::text, i.indcollation::text, i.indoption::text,
      pg_get_expr(i.indexprs, i.indrelid), pg_get_expr(i.indpred, i.indrelid)
    having count(*) > 1`)

  expect(rows).toEqual([])
})
