import { expect, it } from 'vitest'
import { includedVat } from './vat.ts'

// covers A17
it.each([
  [100_00, 13_04],
  [299_00, 39_00],
  [199_99, 26_09],
  [0, 0],
])('calculates the VAT included in %i cents as %i', (inclusive, vat) => {
  expect(includedVat(inclusive)).toBe(vat)
})
