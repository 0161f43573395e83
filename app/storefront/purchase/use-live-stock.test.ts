import { expect, it } from 'vitest'
import { POPPER, REDHEAD } from '#test/sample-product.ts'
import { withFetchedStock } from './use-live-stock.ts'

const available = new Map([[REDHEAD.id, 0]])

it('replaces the rendered stock of the products for which the stock was fetched', () => {
  const products = [POPPER]

  expect(withFetchedStock(products, { products, available })[0]?.variants[0]?.available).toBe(0)
})

it('ignores stock that was fetched before the products were loaded again', () => {
  const reloaded = [{ ...POPPER, variants: [{ ...REDHEAD, available: 12 }] }]

  expect(withFetchedStock(reloaded, { products: [POPPER], available })).toBe(reloaded)
})
