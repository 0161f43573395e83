import { expect, it } from 'vitest'
import { editCell, NO_EDITS, PRODUCT_ROW, removeVariant, restoreVariant, type SavedRecord } from './edits.ts'
import { paste, type PasteTarget } from './paste.ts'
import { cheaperHooks, remainingProblems } from './problems.ts'

const RED = { id: 'red', name: 'Red Head', sku: 'R-1', stock_quantity: 5, image_url: null, image_alt: null }
const RECORD: SavedRecord = { name: 'Popper', price: 110, product_variants: [RED] }

it('shows the message about a refused cell until another value is typed or pasted', () => {
  const sent = editCell(NO_EDITS, RECORD, { row: 'red', column: 'stock_quantity', typed: 'five' })
  const refused = { edits: sent, problems: { red: { stock_quantity: 'A whole number.' } } }
  const at: PasteTarget = { rows: [PRODUCT_ROW, 'red'], row: 'red', column: 'stock_quantity' }

  const elsewhere = editCell(sent, RECORD, { row: 'red', column: 'sku', typed: 'R-2' })
  expect(remainingProblems(refused, elsewhere, RECORD)).toEqual(refused.problems)

  const typed = editCell(sent, RECORD, { row: 'red', column: 'stock_quantity', typed: '5' })
  const pasted = paste(sent, RECORD, { cells: [['7']], at })
  for (const corrected of [typed, pasted])
    expect(remainingProblems(refused, corrected, RECORD)).toEqual({ red: {} })
})

it('drops the message about a colour that cannot be removed when the colour is restored', () => {
  const sent = removeVariant(NO_EDITS, 'red')
  const refused = { edits: sent, problems: { red: { name: 'A lure needs at least one colour.' } } }

  expect(remainingProblems(refused, sent, RECORD)).toEqual(refused.problems)
  expect(remainingProblems(refused, restoreVariant(sent, 'red'), RECORD)).toEqual({ red: {} })
})

it('questions a price with hooks below the price without hooks when one of the two is changed', () => {
  const record = { ...RECORD, price_with_hooks: 142 }
  const problemsOf = (column: string, typed: string, saved = record) =>
    Object.keys(cheaperHooks(editCell(NO_EDITS, saved, { row: PRODUCT_ROW, column, typed }), saved))

  expect(problemsOf('price', '300')).toEqual(['price_with_hooks'])
  expect(problemsOf('price_with_hooks', 'R99,50')).toEqual(['price_with_hooks'])
  expect(problemsOf('price', '142')).toEqual([])
  expect(problemsOf('price_with_hooks', '')).toEqual([])
  expect(problemsOf('name', 'Dart', { ...record, price: 300 })).toEqual([])
})
