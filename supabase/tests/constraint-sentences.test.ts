import { describe, expect } from 'vitest'
import { CONSTRAINT_SENTENCES } from '#app/data/constraint-sentences.ts'
import { errorSentence } from '#app/data/error-sentence.ts'
import { anAdmin, aPromoCode, popper } from './shopping.ts'
import { test } from './sql.ts'

/** Tables that the admin area writes, so that their errors appear in toasts. */
const WRITTEN_BY_STAFF = [
  'products',
  'product_variants',
  'promo_codes',
  'courier_companies',
  'profiles',
  'gallery_submissions',
  'shop_settings',
  'order_notes',
  'client_notes',
]

/** No page can send such a value. */
const UNREACHABLE = ['more_than_one_row']

describe('constraint messages', () => {
  test('has an error message for every constraint of the tables that staff edit', async ({ sql }) => {
    const constraints = await sql.rows<{ name: string }>(
      `select distinct c.conname as name from pg_constraint c
       where c.conrelid = any ($1::regclass[]) and c.contype in ('c', 'u') order by 1`,
      [WRITTEN_BY_STAFF.map((table) => `public.${table}`)],
    )

    const silent = constraints
      .map(({ name }) => name)
      .filter((name) => !(name in CONSTRAINT_SENTENCES) && !UNREACHABLE.includes(name))

    expect(
      silent,
      'Add its message: for a product field in domain/product-fields.ts, else in app/data/constraint-sentences.ts.',
    ).toEqual([])
  })

  test.for([
    ['a check', `update public.products set price = -1`, 'The price must be between R0 and R1 000 000.'],
    ['a unique name', `update public.products set name = 'Twice'`, 'Another product has this name.'],
    [
      'a unique code',
      `insert into public.promo_codes (code, discount_type, discount_value) values ('TENNER', 'fixed', 1)`,
      'Another promo code has this name.',
    ],
    ['a required field', `update public.products set name = null`, 'A required field is empty.'],
    [
      'a foreign key',
      `insert into public.order_notes (order_id, body) values (gen_random_uuid(), 'x')`,
      null,
    ],
    [
      'a malformed value',
      `update public.products set price = 'dear'`,
      'One of these values has the wrong form.',
    ],
    ['missing rights', `delete from public.changes`, 'Your role does not allow this.'],
  ] as const)(
    'replaces PostgreSQL’s message for %s with a plain message',
    async ([, statement, sentence], { sql }) => {
      await aPromoCode(sql, { code: 'TENNER', discount_type: 'fixed', discount_value: 10 })
      await sql.as(await anAdmin(sql))

      const said = await errorSentence(await sql.refusal(statement))

      expect(said).toMatch(/^[A-Z].*\.$/)
      expect(said).not.toMatch(/constraint|violates|relation/)
      if (sentence) expect(said).toBe(sentence)
    },
  )

  // covers A8.1
  test('does not change messages that the shop’s own SQL raises', async ({ sql }) => {
    await sql.as(await anAdmin(sql))
    const refusal = await sql.refusal(`update public.products set stock_quantity = 1 where name = $1`, [
      popper.product_name,
    ])

    expect(await errorSentence(refusal)).toBe(refusal.message)
  })
})
