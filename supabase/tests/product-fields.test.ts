import { describe, expect } from 'vitest'
import { PRODUCT_FIELDS, VARIANT_FIELDS, type ProductField } from '#domain/product-fields.ts'
import { test, type TestTransaction } from './sql.ts'

/** Columns that no form edits: ids, times, and what the database derives. */
const DERIVED = ['id', 'product_id', 'position', 'created_at', 'updated_at']
const SQL_FIELDS = 'supabase/schema/catalogue/fields.sql'
const TABLES = [
  {
    table: 'products',
    list: 'product_fields',
    comments: SQL_FIELDS,
    fields: PRODUCT_FIELDS,
    derived: [...DERIVED, 'image_url', 'stock_quantity'],
  },
  {
    table: 'product_variants',
    list: 'variant_fields',
    comments: 'supabase/schema/catalogue/products.sql',
    fields: VARIANT_FIELDS,
    derived: [...DERIVED, 'slug'],
  },
]

const columnsOf = (sql: TestTransaction, table: string) =>
  sql.value<string[]>(
    `select array_agg(attname::text) from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [`public.${table}`],
  )

describe.each(TABLES)('the fields of $table', ({ table, list, comments, fields, derived }) => {
  // covers A20
  test('are the table’s columns, in TypeScript and in SQL', async ({ sql }) => {
    const columns = (await columnsOf(sql, table)).filter((column) => !derived.includes(column)).toSorted()

    expect(Object.keys(fields).toSorted(), 'Add the field to domain/product-fields.ts.').toEqual(columns)
    const inSql = await sql.value<string[]>(`select private.${list}()`)
    expect(inSql.toSorted(), `Add the column to private.${list}() in ${SQL_FIELDS}.`).toEqual(columns)
  })

  test('have a message for each constraint', async ({ sql }) => {
    const silent = await sql.rows(
      `select conname from pg_constraint where conrelid = $1::regclass and contype in ('c', 'u')
         and private.cell_error('', conname) = private.cell_error('', '')`,
      [`public.${table}`],
    )

    expect(silent, `Add the constraint to private.cell_error() in ${SQL_FIELDS}.`).toEqual([])
  })

  test('has a comment on each column that staff edit', async ({ sql }) => {
    const uncommented = await sql.value<string[]>(
      `select coalesce(array_agg(attname::text), '{}') from pg_attribute
       where attrelid = $1::regclass and attname = any ($2) and col_description(attrelid, attnum) is null`,
      [`public.${table}`, Object.keys(fields)],
    )

    expect(uncommented, `Add \`comment on column\` in ${comments}.`).toEqual([])
  })

  test('accepts texts up to the length that the forms allow, and rejects longer ones', async ({ sql }) => {
    const limits = Object.entries<ProductField>(fields).flatMap(([column, { maxLength }]) =>
      maxLength === undefined ? [] : [{ column, maxLength }],
    )

    expect(limits.length).toBeGreaterThan(0)
    for (const { column, maxLength } of limits) {
      const fill = `update public.${table} set ${column} = repeat('x', $1) where id = (select id from public.${table} limit 1)`
      await sql.rows(fill, [maxLength])
      expect((await sql.refusal(fill, [maxLength + 1])).code, `${column} of ${maxLength + 1}`).toBe('23514')
    }
  })

  test('name only constraints that exist', async ({ sql }) => {
    const named = Object.values<ProductField>(fields).flatMap(({ constraints = {} }) =>
      Object.keys(constraints),
    )
    const existing = await sql.value<string[]>(
      `select coalesce(array_agg(conname::text), '{}') from pg_constraint where conrelid = $1::regclass`,
      [`public.${table}`],
    )

    expect(existing).toEqual(expect.arrayContaining(named))
  })
})
