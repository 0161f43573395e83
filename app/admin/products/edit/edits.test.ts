import { describe, expect, it } from 'vitest'
import { keepMine, takeTheirs } from './conflicts.ts'
import {
  addVariant,
  cellValue,
  changesOf,
  countEdits,
  editCell,
  moveVariant,
  NO_EDITS,
  PRODUCT_ROW,
  removeVariant,
  type SavedRecord,
} from './edits.ts'
import { parseNumber } from './parse-number.ts'
import { parseClipboard, paste } from './paste.ts'

const RED = { id: 'red', name: 'Red Head', sku: 'R-1', stock_quantity: 5, image_url: null, image_alt: null }
const BLUE = {
  id: 'blue',
  name: 'Blue Reaper',
  sku: null,
  stock_quantity: 2,
  image_url: null,
  image_alt: null,
}
const RECORD: SavedRecord = {
  name: 'Popper',
  price: 110,
  price_with_hooks: 142,
  product_variants: [RED, BLUE],
}

it.each([
  ['120', 120],
  ['R1 234,50', 1234.5],
  ['1,234.50', 1234.5],
  ['1,234', 1234],
  ['99,5', 99.5],
  ['1.234,5', 1234.5],
  ['', null],
  ['a dozen', 'a dozen'],
])('parses the number in a cell %j as %j', (text, number) => {
  expect(parseNumber(text)).toBe(number)
})

describe('edits', () => {
  it('sends each edited cell with the previous value, and parses numbers', () => {
    let edits = editCell(NO_EDITS, RECORD, { row: PRODUCT_ROW, column: 'price', typed: 'R120,50' })
    edits = editCell(edits, RECORD, { row: PRODUCT_ROW, column: 'price_with_hooks', typed: '' })
    edits = editCell(edits, RECORD, { row: 'red', column: 'sku', typed: ' ' })

    expect(changesOf(edits, RECORD)).toEqual({
      product: { price: { was: 110, now: 120.5 }, price_with_hooks: { was: 142, now: null } },
      variants: { red: { sku: { was: 'R-1', now: null } } },
      added: {},
      removed: [],
      order: [],
    })
  })

  it('drops the edit of a cell whose saved value is typed again', () => {
    let edits = editCell(NO_EDITS, RECORD, { row: 'red', column: 'stock_quantity', typed: '6' })
    expect(countEdits(edits)).toBe(1)

    edits = editCell(edits, RECORD, { row: 'red', column: 'stock_quantity', typed: '5' })

    expect(edits).toEqual(NO_EDITS)
  })

  it.each([
    { row: 'red', column: 'name', typed: 'Red Head ' },
    { row: PRODUCT_ROW, column: 'price', typed: '110.0' },
    { row: PRODUCT_ROW, column: 'price', typed: '110,00' },
  ])('keeps $typed in the cell, because more may be typed, and counts no change', (cell) => {
    const edits = editCell(NO_EDITS, RECORD, cell)

    expect(cellValue(edits, RECORD, cell)).toBe(cell.typed)
    expect(countEdits(edits)).toBe(0)
    expect(changesOf(edits, RECORD)).toEqual(changesOf(NO_EDITS, RECORD))
  })

  it('keeps a stock cell’s first loaded value as the previous value after a sale', () => {
    const edits = editCell(NO_EDITS, RECORD, { row: 'red', column: 'stock_quantity', typed: '8' })
    const sold = { ...RECORD, product_variants: [{ ...RED, stock_quantity: 4 }, BLUE] }

    const more = editCell(edits, sold, { row: 'red', column: 'stock_quantity', typed: '9' })

    expect(changesOf(more, RECORD)).toMatchObject({
      variants: { red: { stock_quantity: { was: 5, now: 9 } } },
    })
  })

  it('sends no edits of removed colours and drops removed new colours', () => {
    let edits = editCell(NO_EDITS, RECORD, { row: 'red', column: 'name', typed: 'Ruby' })
    edits = removeVariant(removeVariant(addVariant(edits, 'new'), 'new'), 'red')

    expect(changesOf(edits, RECORD)).toMatchObject({ variants: {}, added: {}, removed: ['red'] })
  })
})

describe('addVariant', () => {
  it('sends the colour order with several new colours, because the object of new colours has no order', () => {
    const zebra = editCell(addVariant(NO_EDITS, 'z'), RECORD, { row: 'z', column: 'name', typed: 'Zebra' })
    const both = editCell(addVariant(zebra, 'a'), RECORD, { row: 'a', column: 'name', typed: 'Amber' })

    expect(changesOf(both, RECORD).order).toEqual(['Red Head', 'Blue Reaper', 'Zebra', 'Amber'])
  })

  it('sends no colour order with one new colour, so that it does not undo someone else’s order', () => {
    expect(changesOf(addVariant(NO_EDITS, 'z'), RECORD).order).toEqual([])
  })
})

describe('moveVariant', () => {
  it('sends the colour order by name and drops the move of a colour that is moved back', () => {
    const added = editCell(addVariant(NO_EDITS, 'new'), RECORD, {
      row: 'new',
      column: 'name',
      typed: 'Zebra ',
    })
    const moved = moveVariant(added, RECORD, { row: 'new', by: -1 })

    expect(changesOf(moved, RECORD)).toMatchObject({ order: ['Red Head', 'Zebra', 'Blue Reaper'] })
    expect(moveVariant(moved, RECORD, { row: 'new', by: 1 })).toEqual(added)
    expect(moveVariant(NO_EDITS, RECORD, { row: 'red', by: -1 })).toEqual(NO_EDITS)
  })
})

describe('conflicts', () => {
  const mine = editCell(
    editCell(NO_EDITS, RECORD, { row: PRODUCT_ROW, column: 'price', typed: '120' }),
    RECORD,
    {
      row: 'red',
      column: 'name',
      typed: 'Ruby',
    },
  )

  // covers A20
  it('rebases conflicting edits onto the saved values when the editor keeps the edits', () => {
    expect(changesOf(keepMine(mine, { product: { price: 115 } }), RECORD)).toMatchObject({
      product: { price: { was: 115, now: 120 } },
      variants: { red: { name: { was: 'Red Head', now: 'Ruby' } } },
    })
  })

  it('drops only conflicting edits when the editor takes the saved values', () => {
    expect(changesOf(takeTheirs(mine, { product: { price: 115 } }), RECORD)).toMatchObject({
      product: {},
      variants: { red: { name: { was: 'Red Head', now: 'Ruby' } } },
    })
  })

  it('drops all edits of a deleted colour', () => {
    expect(changesOf(keepMine(mine, { red: null }), RECORD)).toMatchObject({ variants: {} })
    expect(changesOf(takeTheirs(mine, { red: null }), RECORD)).toMatchObject({ variants: {} })
  })
})

describe('paste', () => {
  it('parses tabs, quotes and the last line break of pasted spreadsheet cells', () => {
    expect(parseClipboard('Red\t5\r\n"Blue ""R""\nReaper"\t\r\n')).toEqual([
      ['Red', '5'],
      ['Blue "R"\nReaper', ''],
    ])
  })

  it('makes one line of a pasted cell with line breaks', () => {
    const at = { rows: ['product', 'red', 'blue'], row: 'red', column: 'name' as const }

    const edits = paste(NO_EDITS, RECORD, { cells: [['Ruby\nRed\t']], at })

    expect(changesOf(edits, RECORD).variants).toEqual({ red: { name: { was: 'Red Head', now: 'Ruby Red' } } })
  })

  it('fills pasted cells to the right and down, and adds colours for extra rows', () => {
    const rows = ['product', 'red', 'blue']

    const edits = paste(NO_EDITS, RECORD, {
      cells: [
        ['B-1', '9', '500'],
        ['Z-1', '1'],
      ],
      at: { rows, row: 'blue', column: 'sku' },
    })

    const { product, variants, added } = changesOf(edits, RECORD)
    expect(product).toEqual({})
    expect(variants).toEqual({ blue: { sku: { was: null, now: 'B-1' }, stock_quantity: { was: 2, now: 9 } } })
    expect(Object.values(added)).toMatchObject([{ name: '', sku: 'Z-1', stock_quantity: 1 }])
  })
})

it('sends a new colour as an edited one when an earlier save has stored it although its response was lost', () => {
  let edits = addVariant(NO_EDITS, 'zebra')
  edits = editCell(edits, RECORD, { row: 'zebra', column: 'name', typed: 'Zebra' })
  edits = editCell(edits, RECORD, { row: 'zebra', column: 'stock_quantity', typed: '4' })
  const zebra = { ...RED, id: 'zebra', name: 'Zebra', sku: null, stock_quantity: 3 }

  const changes = changesOf(edits, { ...RECORD, product_variants: [RED, BLUE, zebra] })

  expect(changes).toMatchObject({
    variants: { zebra: { name: { was: '', now: 'Zebra' }, stock_quantity: { was: 0, now: 4 } } },
    added: {},
  })
})
