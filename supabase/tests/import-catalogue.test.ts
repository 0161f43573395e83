import { describe, expect } from 'vitest'
import { aCustomer, anAdmin, markOrderPaid, orderOf, popper, setStock, stockCounts } from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

const PREVIEW = 'select public.import_catalogue($1) as report'
const WRITE = 'select public.import_catalogue($1, $2)'

type Row = Record<string, unknown>

interface ImportRowReport {
  outcome: string
  problems: Record<string, string>
  changes: Record<string, [unknown, unknown]>
}

const POPPER = { lure: 'chisel-nose-popper-150', name: 'Chisel Nose Popper 150mm/30G', price: 110 }
const RED = { ...POPPER, colour: 'red-head', colour_name: 'Redhead 150mm' }
const MAHI = { ...POPPER, colour: 'mahi-mahi', colour_name: 'Mahi Mahi 150mm' }

async function preview(sql: TestTransaction, rows: Row[]): Promise<ImportRowReport[]> {
  return sql.value<ImportRowReport[]>(PREVIEW, [JSON.stringify(rows)])
}

/** Rows of a file that hides the popper. */
const hide = (change: Row): Row[] => [RED, MAHI].map((row) => ({ ...row, status: 'hidden', ...change }))

const write = (rows: Row[], report: ImportRowReport[]) => [JSON.stringify(rows), JSON.stringify(report)]

/** Sets the stock of the red popper to 5 and sells two of them. */
async function sellTwoOfFive(sql: TestTransaction): Promise<void> {
  await setStock(sql, popper, 5)
  const lines = [{ ...popper, quantity: 2 }]
  await markOrderPaid(sql, await orderOf(sql, await aCustomer(sql), { lines, total: 320 }))
}

const priceOf = (sql: TestTransaction) =>
  sql.value('select price from public.products where slug = $1', [POPPER.lure])

describe('catalogue file', () => {
  // covers A25
  test('previews a catalogue import row by row without changing the catalogue', async ({ sql }) => {
    await sql.as(await anAdmin(sql))
    const before = await sql.value('select count(*)::int from public.product_variants')

    const report = await preview(sql, [
      RED,
      { ...MAHI, stock_quantity: 50 },
      { ...POPPER, colour: 'zebra', colour_name: 'Zebra', sku: 'CNP-150-Z', stock_quantity: 2 },
      { lure: 'kite', name: 'Kite', price: -4, colour: 'blue', colour_name: '', stock_quantity: 'many' },
    ])

    expect(report.map(({ outcome }) => outcome)).toEqual(['same', 'changed', 'new', 'wrong'])
    expect(report[1]?.changes).toEqual({ stock_quantity: [20, 50] })
    expect(report[3]?.problems).toEqual({
      price: 'Between R0 and R1 000 000.',
      colour_name: 'One line of 1 to 120 characters.',
    })
    expect(await sql.value('select count(*)::int from public.product_variants')).toBe(before)
    expect(await sql.rows(`select from public.products where slug = 'kite'`)).toEqual([])
  })

  test('imports a previewed catalogue file completely, with new products as drafts', async ({ sql }) => {
    await sql.as(await anAdmin(sql))
    const rows = [
      { ...RED, price: 115 },
      { ...MAHI, price: 115, stock_quantity: 50 },
      { lure: 'kite-90', name: 'Kite 90', price: 80, colour: 'blue', colour_name: 'Blue', stock_quantity: 6 },
      { lure: 'kite-90', name: 'Kite 90', price: 80, colour: 'red', colour_name: 'Red', stock_quantity: 1 },
    ]

    await sql.rows(WRITE, write(rows, await preview(sql, rows)))

    expect(await priceOf(sql)).toBe('115.00')
    expect(
      await sql.row(`select status, stock_quantity, price from public.products where slug = 'kite-90'`),
    ).toEqual({ status: 'draft', stock_quantity: 7, price: '80.00' })
    expect((await preview(sql, rows)).map(({ outcome }) => outcome)).toEqual(['same', 'same', 'same', 'same'])
  })

  test('derives an imported product’s slug from the product name', async ({ sql }) => {
    await sql.as(await anAdmin(sql))
    const kite = { lure: '', name: 'Kite 90', price: 80, colour: '' }
    const rows = [
      { ...kite, colour_name: 'Blue' },
      { ...kite, colour_name: 'Red' },
    ]

    await sql.rows(WRITE, write(rows, await preview(sql, rows)))

    expect(
      await sql.rows(
        `select p.slug as lure, v.slug as colour from public.product_variants v join public.products p on p.id = v.product_id
        where p.name = 'Kite 90' order by 2`,
      ),
    ).toEqual([
      { lure: 'kite-90', colour: 'blue' },
      { lure: 'kite-90', colour: 'red' },
    ])
  })

  test('takes a row without addresses for a new lure or colour when its name was given up before', async ({
    sql,
  }) => {
    await sql.as(await anAdmin(sql))
    const kite = { lure: '', name: 'Kite', price: 80, colour: '', colour_name: 'Blue' }
    await sql.rows(WRITE, write([kite], await preview(sql, [kite])))
    await sql.rows(`update public.product_variants set name = 'Deep Blue' where slug = 'blue'`)

    const [colour] = await preview(sql, [kite])
    await sql.rows(`update public.products set name = 'Old Kite' where slug = 'kite'`)
    const rows = [kite, { ...kite, colour_name: 'Red' }]
    const lure = await preview(sql, rows)
    await sql.rows(WRITE, write(rows, lure))

    expect([colour, ...lure].map((row) => row?.outcome)).toEqual(['new', 'new', 'new'])
    expect(
      await sql.rows(
        `select p.name as lure, p.slug, v.name as colour from public.product_variants v join public.products p on p.id = v.product_id
        where p.name like '%Kite' order by 1, 3`,
      ),
    ).toEqual([
      { lure: 'Kite', slug: 'kite-2', colour: 'Blue' },
      { lure: 'Kite', slug: 'kite-2', colour: 'Red' },
      { lure: 'Old Kite', slug: 'kite', colour: 'Deep Blue' },
    ])
  })

  const KITE = { lure: '', name: 'Kite', price: 90, colour: '', colour_name: 'Zebra' }

  test('does not take a new lure for the renamed one whose former name it has', async ({ sql }) => {
    await sql.rows(`update public.products set name = 'Kite', slug = 'kite' where slug = $1`, [POPPER.lure])
    await sql.rows(`update public.products set name = 'Old Kite' where slug = 'kite'`)
    await sql.as(await anAdmin(sql))
    const renamed = { ...RED, lure: 'kite', name: 'Old Kite' }

    const report = await preview(sql, [renamed, KITE, { ...KITE, colour_name: 'Blue', price: 95 }])

    expect(report.map(({ outcome, problems }) => [outcome, problems])).toEqual([
      ['same', {}],
      ['new', {}],
      ['wrong', { price: 'An earlier row has a different value for this lure.' }],
    ])
  })

  test('rejects a row without addresses that contradicts a row with the address of the same lure', async ({
    sql,
  }) => {
    await sql.rows(`update public.products set slug = 'former-name' where slug = $1`, [POPPER.lure])
    await sql.as(await anAdmin(sql))
    const dearer = { ...RED, lure: 'former-name', price: 120 }

    const [, added] = await preview(sql, [dearer, { ...POPPER, lure: '', colour: '', colour_name: 'Zebra' }])

    expect(added).toMatchObject({
      outcome: 'wrong',
      problems: { price: 'An earlier row has a different value for this lure.' },
    })
  })

  test('imports nothing when one row of the catalogue file is invalid', async ({ sql }) => {
    await sql.as(await anAdmin(sql))
    const rows = [
      { ...RED, price: 115 },
      { ...MAHI, price: 120, stock_quantity: 'many' },
    ]
    const report = await preview(sql, rows)

    const refused = await sql.refusal(WRITE, write(rows, report))

    expect(report.map(({ outcome }) => outcome)).toEqual(['changed', 'wrong'])
    expect(report[1]?.problems).toEqual({
      price: 'An earlier row has a different value for this lure.',
      stock_quantity: 'This is not a valid number.',
    })
    expect(refused).toMatchObject({ code: 'PT422', reason: 'invalid_catalogue' })
    expect(await priceOf(sql)).toBe('110.00')
  })

  test('does not undo a sale that came after the file was made', async ({ sql }) => {
    await sellTwoOfFive(sql)
    await sql.as(await anAdmin(sql))
    const rows = [{ ...RED, price: 115, stock_quantity: 5, exported_stock: 5 }]

    await sql.rows(WRITE, write(rows, await preview(sql, rows)))

    expect(await preview(sql, rows)).toMatchObject([{ outcome: 'same' }])
    expect(await priceOf(sql)).toBe('115.00')
    await sql.asShop()
    expect(await stockCounts(sql, popper)).toMatchObject({ stock: 3 })
  })

  test('rejects a stock edited in a file when the stock is another one by now', async ({ sql }) => {
    await sellTwoOfFive(sql)
    await sql.as(await anAdmin(sql))
    const importStock = async (stock_quantity: number, exported_stock: unknown) =>
      (await preview(sql, [{ ...RED, stock_quantity, exported_stock }]))[0]

    expect(await importStock(8, 5)).toMatchObject({
      outcome: 'wrong',
      problems: { stock_quantity: 'Stock was 5 in the file and is 3 now.' },
    })
    expect(await importStock(8, 'a few')).toMatchObject({
      outcome: 'wrong',
      problems: { exported_stock: 'This is not a valid number.' },
    })
    expect(await importStock(8, 3)).toMatchObject({ outcome: 'changed', changes: { stock_quantity: [3, 8] } })
    expect(await importStock(3, 5)).toMatchObject({ outcome: 'same' })
    expect(await importStock(8, null)).toMatchObject({
      outcome: 'changed',
      changes: { stock_quantity: [3, 8] },
    })
  })

  test('gives a new colour the stock of its row, whatever the row that it was copied from exported', async ({
    sql,
  }) => {
    await sql.as(await anAdmin(sql))
    const zebra = { ...POPPER, colour: '', colour_name: 'Zebra' }

    const [copied] = await preview(sql, [{ ...zebra, stock_quantity: 20, exported_stock: 20 }])
    const [edited] = await preview(sql, [{ ...zebra, stock_quantity: 4, exported_stock: 20 }])

    expect(copied).toMatchObject({ outcome: 'new', changes: { stock_quantity: [0, 20] } })
    expect(edited).toMatchObject({ outcome: 'new', changes: { stock_quantity: [0, 4] } })
  })

  test('rejects two rows that say different things about one colour', async ({ sql }) => {
    await sql.as(await anAdmin(sql))
    const problem = 'An earlier row has a different value for this colour.'
    const copied = { ...RED, colour_name: 'Zebra', stock_quantity: 2 }
    const kite = { lure: '', name: 'Kite 90', price: 80, colour: '', colour_name: 'Blue', stock_quantity: 4 }

    const [first, renamed] = await preview(sql, [{ ...RED, stock_quantity: 55 }, copied])
    const [byName, byAddress] = await preview(sql, [{ ...RED, colour: '' }, copied])
    const [created, again] = await preview(sql, [kite, { ...kite, stock_quantity: 7 }])
    const other = await preview(sql, [RED, { ...copied, colour: '' }, MAHI, RED])

    expect([first?.outcome, byName?.outcome, created?.outcome]).toEqual(['changed', 'same', 'new'])
    expect(renamed).toMatchObject({
      outcome: 'wrong',
      problems: { colour_name: problem, stock_quantity: problem },
    })
    expect(byAddress).toMatchObject({ outcome: 'wrong', problems: { colour_name: problem } })
    expect(again).toMatchObject({ outcome: 'wrong', problems: { stock_quantity: problem } })
    expect(other.map(({ outcome }) => outcome)).toEqual(['same', 'new', 'same', 'same'])
  })

  // covers A25
  test('requires a new import preview when the catalogue has changed', async ({ sql }) => {
    await sql.as(await anAdmin(sql))
    const rows = [{ ...RED, price: 115 }]
    const report = await preview(sql, rows)
    await sql.rows('update public.products set price = 112 where slug = $1', [POPPER.lure])

    expect(await sql.refusal(WRITE, write(rows, report))).toMatchObject({
      code: 'PT409',
      reason: 'catalogue_changed',
      facts: [{ changes: { price: [112, 115] } }],
    })
  })

  test('refuses a launch that does not say its time zone', async ({ sql }) => {
    await sql.as(await anAdmin(sql))
    const announced = { ...RED, status: 'announced' }

    const [ambiguous] = await preview(sql, [{ ...announced, publish_at: '2099/11/24 7:00:00' }])
    const [monthFirst] = await preview(sql, [{ ...announced, publish_at: '11/12/2099 19:00' }])
    const [exact] = await preview(sql, [{ ...announced, publish_at: '2099-11-24T05:00:00+00:00' }])

    const problem = { publish_at: 'Write the time as 2026-11-24 19:00.' }
    expect(ambiguous?.problems).toMatchObject(problem)
    expect(monthFirst?.problems).toMatchObject(problem)
    expect(exact).toMatchObject({ outcome: 'changed', problems: {} })
  })

  test('does not hide a lure through a file that still has its launch, which would put it on sale again', async ({
    sql,
  }) => {
    const launch = { status: 'announced', publish_at: '2099-11-24T05:00:00+00:00' }
    await sql.rows(`update public.products set status = 'announced', publish_at = $2 where slug = $1`, [
      POPPER.lure,
      launch.publish_at,
    ])
    await sql.as(await anAdmin(sql))
    const later = '2099-12-01T05:00:00+00:00'

    expect(await preview(sql, hide({ publish_at: launch.publish_at }))).toMatchObject([
      { outcome: 'wrong', problems: { publish_at: 'Empty Launch, or it goes on sale again then.' } },
      { outcome: 'same' },
    ])
    expect(await preview(sql, hide({ publish_at: later }))).toMatchObject([
      { outcome: 'changed', changes: { publish_at: [launch.publish_at, later] } },
      { outcome: 'same' },
    ])
    for (const file of [hide({}), hide({ publish_at: null })]) {
      expect((await preview(sql, file)).map(({ problems, changes }) => ({ problems, changes }))).toEqual([
        { problems: {}, changes: { status: ['announced', 'hidden'], publish_at: [launch.publish_at, null] } },
        { problems: {}, changes: {} },
      ])
    }
  })

  test('ends the launch of a product that a file hides', async ({ sql }) => {
    await sql.rows(
      `update public.products set status = 'announced', publish_at = '2099-11-24T05:00:00Z' where slug = $1`,
      [POPPER.lure],
    )
    await sql.as(await anAdmin(sql))
    const rows = hide({ publish_at: null })

    await sql.rows(WRITE, write(rows, await preview(sql, rows)))

    expect(await preview(sql, rows)).toMatchObject([{ outcome: 'same' }, { outcome: 'same' }])
    expect(
      await sql.row('select status, publish_at from public.products where slug = $1', [POPPER.lure]),
    ).toEqual({
      status: 'hidden',
      publish_at: null,
    })
  })

  test('finds an unchanged launch unchanged, whatever the time zone of the database', async ({ sql }) => {
    const row = { ...RED, status: 'announced', publish_at: '2099-11-24T05:00:00+00:00' }
    await sql.rows(`update public.products set status = 'announced', publish_at = $2 where slug = $1`, [
      POPPER.lure,
      row.publish_at,
    ])
    await sql.as(await anAdmin(sql))
    await sql.rows(`set local time zone 'Africa/Johannesburg'`)

    expect(await preview(sql, [row])).toMatchObject([{ outcome: 'same' }])
  })

  test('rejects a catalogue file without rows or with more than two thousand', async ({ sql }) => {
    await sql.as(await anAdmin(sql))

    expect((await sql.refusal(PREVIEW, ['[]'])).reason).toBe('too_many_rows')
    const many = JSON.stringify(Array.from({ length: 2001 }, () => RED))
    expect((await sql.refusal(PREVIEW, [many])).reason).toBe('too_many_rows')
  })
})
