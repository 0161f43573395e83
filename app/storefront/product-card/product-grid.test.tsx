import { expect, it } from 'vitest'
import { SessionProvider } from '#app/data/session.tsx'
import type { Product } from '#domain/catalogue.ts'
import { shop } from '#shop'
import { renderHtml, renderText } from '#test/render-page.tsx'
import { POPPER, REDHEAD } from '#test/sample-product.ts'
import { ShownCart } from '#test/shown-cart.tsx'
import { ProductGrid } from './product-grid.tsx'

const popper: Product = {
  ...POPPER,
  slug: 'popper',
  name: 'Popper',
  variants: [{ ...REDHEAD, slug: 'red', name: 'Red', available: 9 }],
}

const soldOut = { variants: popper.variants.map((variant) => ({ ...variant, available: 0 })) }

const grid = (...products: Partial<Product>[]) => (
  <SessionProvider publishableKey="">
    <ShownCart lines={[]}>
      <ProductGrid products={products.map((product) => ({ ...popper, ...product }))} />
    </ShownCart>
  </SessionProvider>
)
const textOf = (product: Partial<Product>) => renderText(grid(product))

it('shows the lowest price of a lure on its card, as such when hooks cost more', () => {
  expect(textOf({})).toContain('from R110')
  expect(textOf({ priceWithHooksCents: null })).not.toContain('from')
  expect(textOf({ priceWithHooksCents: popper.priceCents }), 'hooks cost nothing').not.toContain('from')
  expect(textOf({})).toContain('Add to Cart R110.00')
})

it('offers a message instead of the cart on the card of a sold-out lure', () => {
  const text = textOf(soldOut)

  expect(text).toContain('Tell me when it is back')
  expect(text).not.toContain('Add to Cart')
  expect(textOf({ ...soldOut, isMadeToOrder: true })).toContain('Add to Cart')
})

it('sells no lure from its card before its launch', () => {
  const html = renderHtml(grid({ launchAt: '2030-01-01T08:00:00Z' }))

  expect(/<button[^>]*data-buy[^>]*>/.exec(html)?.[0]).toContain('disabled')
  expect(textOf({ launchAt: '2030-01-01T08:00:00Z' })).toContain('Not on sale yet')
})

it('says how many are left of a limited run, and else only of the last ones', () => {
  expect(renderHtml(grid({ showsStock: true }))).toMatch(/data-state="in-stock"[^>]*>9 left/)
  expect(textOf({})).not.toContain('left')
})

it('leads from a card to the page of its lure', () => {
  expect(renderHtml(grid({}))).toContain('href="/products/popper"')
})

it('tells visitors of an empty catalogue where to ask', () => {
  expect(renderText(grid())).toContain(`Write to ${shop.contact.email}`)
})
