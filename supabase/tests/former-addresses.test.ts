import { describe, expect } from 'vitest'
import { type TestTransaction, test } from './sql.ts'

const POPPER = 'chisel-nose-popper-150'

async function lookUp(sql: TestTransaction, product: string, variant: string | null = null) {
  await sql.as('anon')
  const rows = await sql.rows('select * from public.find_former_address($1, $2)', [product, variant])
  await sql.asShop()
  return rows
}

const rename = (sql: TestTransaction, from: string, to: string) =>
  sql.touched(`update public.products set slug = '${to}' where slug = '${from}'`)

describe('former product addresses', () => {
  // covers S46
  test('redirects every former address of a product renamed several times', async ({ sql }) => {
    await rename(sql, POPPER, 'spitter')
    await rename(sql, 'spitter', 'splasher')

    for (const old of [POPPER, 'spitter']) {
      expect(await lookUp(sql, old)).toMatchObject([{ slug: 'splasher', colour: null, is_gone: false }])
    }
  })

  test('forgets a product’s former address when another product uses that address', async ({ sql }) => {
    await rename(sql, POPPER, 'spitter')
    await rename(sql, 'spitter', POPPER)
    await sql.touched(`insert into public.products (name, slug, price) values ('Other', 'spitter', 1)`)

    expect(await lookUp(sql, POPPER)).toMatchObject([{ slug: POPPER }])
    expect(await lookUp(sql, 'spitter')).toMatchObject([{ slug: 'spitter' }])
  })

  test('redirects to a colour’s current address after the product or colour is renamed', async ({ sql }) => {
    const [{ slug } = { slug: '' }] = await sql.rows<{ slug: string }>(
      `select v.slug from public.product_variants v join public.products p on p.id = v.product_id where p.slug = $1 limit 1`,
      [POPPER],
    )
    await sql.touched(`update public.product_variants set slug = 'coral' where slug = '${slug}'`)
    await rename(sql, POPPER, 'spitter')

    expect(await lookUp(sql, POPPER, slug)).toMatchObject([{ slug: 'spitter', colour: 'coral' }])
    expect(await lookUp(sql, POPPER, 'coral')).toMatchObject([{ slug: 'spitter', colour: 'coral' }])
  })

  test('redirects a deleted colour’s address to the product', async ({ sql }) => {
    await sql.touched(`delete from public.product_variants where slug = 'mahi-mahi'`)

    expect(await lookUp(sql, POPPER, 'mahi-mahi')).toMatchObject([{ slug: POPPER, colour: null }])
  })

  // covers S46
  test('reports the address of a hidden or deleted product as gone, with the product name', async ({
    sql,
  }) => {
    const gone = [{ slug: null, name: 'Chisel Nose Popper 150mm/30G', is_gone: true }]

    await sql.touched(`update public.products set status = 'hidden' where slug = '${POPPER}'`)
    expect(await lookUp(sql, POPPER, 'anything')).toMatchObject(gone)
    await sql.touched(`delete from public.products where slug = '${POPPER}'`)
    expect(await lookUp(sql, POPPER)).toMatchObject(gone)
  })

  test('reveals nothing about the addresses of draft or unknown products', async ({ sql }) => {
    await sql.touched(
      `insert into public.products (name, slug, price, status) values ('Secret', 'secret', 1, 'draft')`,
    )
    await rename(sql, 'secret', 'more-secret')
    await sql.touched(`delete from public.products where slug = 'more-secret'`)

    for (const unknown of ['secret', 'more-secret', 'never-was'])
      expect(await lookUp(sql, unknown)).toEqual([])
    expect(await lookUp(sql, POPPER, 'never-was')).toEqual([])
  })
})
