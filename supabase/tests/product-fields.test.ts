import { describe, expect } from 'vitest'
import { PRODUCT_FIELDS, VARIANT_FIELDS, type ProductField } from '#domain/product-fields.ts'
import { test, type TestTransaction } from './sql.ts'

/** Columns that no form edits: ids, times, and what the database derives. */
const DERIVED = ['id', 'product_id', 'position', 'created_at', 'updated_at']
const TABLES = [
  {
    table: 'products',
    list: 'product_fields',
    fields: PRODUCT_FIELDS,
    derived: [...DERIVED, 'image_url', 'stock_quantity'],
  },
  {
    table: 'product_variants',
    list: 'variant_fields',
    fields: VARIANT_FIELDS,
    derived: [...DERIVED, 'slug'],
  },
]

const columnsOf = (sql: TestTransaction, table: string) =>
  sql.value<string[]>(
    `select array_agg(attname::text) from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    [`public.${table}`],
  )

describe.each(TABLES)('the fields of $table', ({ table, list, fields, derived }) => {
  // covers A20
  test('are the table’s columns, in TypeScript and in SQL', async ({ sql }) => {
    const columns = (await columnsOf(sql, table)).filter((column) => !derived.includes(column)).toSorted()

    expect(Object.keys(fields).toSorted()).toEqual(columns)
    expect((await sql.value<string[]>(`select private.${list}()`)).toSorted()).toEqual(columns)
  })

  test('have a message for each constraint', async ({ sql }) => {
    const silent = await sql.rows(
      `select conname from pg_constraint where conrelid = $1::regclass and contype in ('c', 'u')
         and private.cell_error('', conname) = private.cell_error('', '')`,
      [`public.${table}`],
    )

    expect(silent).toEqual([])
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
