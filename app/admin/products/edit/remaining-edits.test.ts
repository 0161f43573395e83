import { expect, it } from 'vitest'
import {
  addVariant,
  changesOf,
  editCell,
  moveVariant,
  NO_EDITS,
  PRODUCT_ROW,
  removeVariant,
  type Edits,
  type SavedRecord,
} from './edits.ts'
import { remainingEdits } from './remaining-edits.ts'

const variant = (id: string, name: string, stock_quantity: number) => ({
  id,
  name,
  stock_quantity,
  sku: null,
  image_url: null,
  image_alt: null,
})
const RED = variant('red', 'Red Head', 5)
const BLUE = variant('blue', 'Blue Reaper', 2)
const BEFORE: SavedRecord = { name: 'Popper', images: [], product_variants: [RED, BLUE] }
const AFTER: SavedRecord = {
  ...BEFORE,
  product_variants: [{ ...RED, stock_quantity: 7 }, BLUE, variant('new', 'Zebra', 0)],
}

const type = (edits: Edits, cell: { row: string; column: string; typed: unknown }) =>
  editCell(edits, BEFORE, cell)
const remaining = (edits: Edits, sent: Edits) => remainingEdits(edits, sent, BEFORE)

const STOCK_SENT = type(NO_EDITS, { row: 'red', column: 'stock_quantity', typed: '7' })
const ZEBRA_SENT = type(addVariant(NO_EDITS, 'new'), { row: 'new', column: 'name', typed: 'Zebra ' })

it('keeps no edits when nothing has changed since the save was sent', () => {
  expect(remaining(STOCK_SENT, STOCK_SENT)).toEqual(NO_EDITS)
  expect(remaining(ZEBRA_SENT, ZEBRA_SENT)).toEqual(NO_EDITS)
})

it('keeps the edit of a cell that was not sent', () => {
  expect(
    remaining(type(STOCK_SENT, { row: 'blue', column: 'stock_quantity', typed: '3' }), STOCK_SENT).cells,
  ).toEqual({
    blue: { stock_quantity: { was: 2, now: '3' } },
  })
})

it('rebases a newer edit of a sent cell onto the sent value', () => {
  expect(
    remaining(type(STOCK_SENT, { row: 'red', column: 'stock_quantity', typed: '8' }), STOCK_SENT).cells,
  ).toEqual({
    red: { stock_quantity: { was: 7, now: '8' } },
  })
})

it('keeps the return of a sent cell to its value from before the save', () => {
  expect(
    remaining(type(STOCK_SENT, { row: 'red', column: 'stock_quantity', typed: '5' }), STOCK_SENT).cells,
  ).toEqual({
    red: { stock_quantity: { was: 7, now: 5 } },
  })
})

it('keeps a picture whose upload ended after the save was sent', () => {
  const [side, above] = [
    { url: '/side.jpg', alt: 'Side' },
    { url: '/above.jpg', alt: '' },
  ]
  const sent = type(NO_EDITS, { row: PRODUCT_ROW, column: 'images', typed: [side] })

  expect(
    remaining(type(sent, { row: PRODUCT_ROW, column: 'images', typed: [side, above] }), sent).cells,
  ).toEqual({
    [PRODUCT_ROW]: { images: { was: [side], now: [side, above] } },
  })
})

it('makes newer edits of an added colour edits of the saved colour', () => {
  let edits = type(ZEBRA_SENT, { row: 'new', column: 'stock_quantity', typed: '6' })
  edits = type(addVariant(edits, 'newer'), { row: 'newer', column: 'name', typed: 'Coral' })

  expect(changesOf(remaining(edits, ZEBRA_SENT), AFTER)).toMatchObject({
    variants: { new: { stock_quantity: { was: 0, now: 6 } } },
    added: { newer: { name: 'Coral' } },
  })
})

it('removes an added colour that was removed while the colour was saved', () => {
  expect(remaining(removeVariant(ZEBRA_SENT, 'new'), ZEBRA_SENT)).toEqual({ ...NO_EDITS, removed: ['new'] })
})

it('drops the edits of a colour whose removal was saved', () => {
  const sent = removeVariant(type(NO_EDITS, { row: 'red', column: 'name', typed: 'Ruby' }), 'red')
  expect(remaining(removeVariant(sent, 'blue'), sent)).toEqual({ ...NO_EDITS, removed: ['blue'] })
})

it('keeps only an order that differs from the sent order', () => {
  const sent = moveVariant(ZEBRA_SENT, BEFORE, { row: 'new', by: -1 })

  expect(remaining(sent, sent).order).toBeNull()
  expect(remaining(moveVariant(sent, BEFORE, { row: 'new', by: -1 }), sent).order).toEqual([
    'new',
    'red',
    'blue',
  ])
  expect(remaining(moveVariant(sent, BEFORE, { row: 'new', by: 1 }), sent).order).toEqual([
    'red',
    'blue',
    'new',
  ])
})
