import { expect, it } from 'vitest'
import { POPPER, REDHEAD } from '#test/sample-product.ts'
import { addToCartError } from './add-to-cart-error.ts'
import { withOwnReservations } from './own-reservations.ts'
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

it('lets buyers add what their own unpaid order reserves, although the cart still has it too', () => {
  const products = [POPPER]
  const everyone = new Map([[REDHEAD.id, 1]])
  const buyable = withOwnReservations(
    everyone,
    new Map([
      [REDHEAD.id, 2],
      ['another colour', 5],
    ]),
  )
  const [product = POPPER] = withFetchedStock(products, { products, available: buyable })
  const variant = product.variants[0] ?? REDHEAD
  const errorFor = (quantity: number) =>
    addToCartError(product, { variant, hooks: 'with-hooks', quantity, inCart: 2 })?.title ?? null

  expect([errorFor(1), errorFor(2)]).toEqual([null, 'Only 3 left'])
  expect([...buyable.keys()]).toEqual([REDHEAD.id])
})
