import { expect, it } from 'vitest'
import { fieldLabel, PRODUCT_FIELDS } from './product-fields.ts'

it('names the unit of a product’s field in its label, if it has one', () => {
  expect(fieldLabel(PRODUCT_FIELDS.length_mm)).toBe('Length (mm)')
  expect(fieldLabel(PRODUCT_FIELDS.model)).toBe('Model')
})
