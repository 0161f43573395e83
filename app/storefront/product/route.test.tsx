import { expect, it } from 'vitest'
import { SessionProvider } from '#app/data/session.tsx'
import type { Product, Variant } from '#domain/catalogue.ts'
import { renderHtml, renderText } from '#test/render-page.tsx'
import { POPPER, REDHEAD } from '#test/sample-product.ts'
import { ShownCart } from '#test/shown-cart.tsx'
import type { Route } from './+types/route'
import ProductPage, { meta } from './route.tsx'

const red: Variant = { ...REDHEAD, slug: 'red-head', name: 'Red Head', available: 9 }
const blue: Variant = { ...REDHEAD, id: 'v2', slug: 'blue', name: 'Blue', available: 0 }

const popper: Product = {
  ...POPPER,
  slug: 'popper',
  name: 'Popper',
  variants: [red, blue],
  standardSpecs: [{ label: 'Length', value: '150 mm' }],
  specs: [{ label: 'Action', value: 'Loud' }],
}

const dates = { countedFrom: '2026-11-23', onShelf: 'by Friday', madeToOrder: 'in two weeks' }

function page(change: Partial<Product> = {}, variant: Variant | null = null) {
  const product = { ...popper, ...change }
  const loaderData = { product, variant, related: [], lures: [], catches: [], dates }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The page uses nothing else.
  const props = { loaderData } as unknown as Route.ComponentProps
  return (
    <SessionProvider publishableKey="">
      <ShownCart lines={[]}>
        <ProductPage {...props} />
      </ShownCart>
    </SessionProvider>
  )
}

const textOf = (change?: Partial<Product>, variant?: Variant) => renderText(page(change, variant))
const launchAt = '2030-01-01T08:00:00Z'

/** The first button that puts the lure into the cart, as HTML. */
const buyButton = (html: string) => /<button[^>]*data-buy[^>]*>/.exec(html)?.[0]

it('shows the price without hooks, what hooks add, and the delivery date of a lure on the shelf', () => {
  const text = textOf({}, red)

  expect(text).toContain('With Hooks +R32')
  expect(text).toContain('Add to Cart R110.00')
  expect(text).toContain('With you by Friday if you order today.')
  expect(text).toContain('R100 to a locker or your door, free on orders from R1500.')
})

it('promises the later date for a colour that must be made first', () => {
  const text = textOf({ isMadeToOrder: true }, blue)

  expect(text).toContain('With you in two weeks if you order today, including the time to make it.')
  expect(textOf({ isMadeToOrder: true }, red)).toContain('With you by Friday')
})

it('sells no colour that is sold out, promises no date, and offers a message when it is back', () => {
  const text = textOf({}, blue)

  expect(buyButton(renderHtml(page({}, blue)))).toContain('disabled')
  expect(text).not.toContain('Add to Cart')
  expect(text).not.toContain('With you')
  expect(text).toContain('Tell me when it is back')
})

it('offers no message before a colour of a sold-out lure is chosen', () => {
  const text = textOf({ variants: [blue] })

  expect(text).toContain('Choose a colour, and we can tell you when it is back.')
})

it('sells no lure before its launch and promises no date', () => {
  const text = textOf({ launchAt }, red)

  expect(buyButton(renderHtml(page({ launchAt }, red)))).toContain('disabled')
  expect(text).toContain('Not on sale yet')
  expect(text).not.toContain('Add to Cart')
  expect(text).not.toContain('With you')
})

it('sells a lure without hooks that has no price with hooks', () => {
  expect(textOf({ priceWithHooksCents: null }, red)).not.toContain('With Hooks')
})

it('shares the address of the shown colour', () => {
  const html = renderHtml(page({}, red))

  expect(html).toContain(
    `https://wa.me/?text=${encodeURIComponent('Popper in Red Head /products/popper/red-head')}`,
  )
})

it('names the lowest price in the description for search engines', () => {
  const loaderData = { product: popper, variant: null, related: [], lures: [], catches: [], dates }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The function uses nothing else.
  const tags = meta({ loaderData, matches: [] } as unknown as Route.MetaArgs)

  expect(tags).toContainEqual({ name: 'description', content: expect.stringMatching(/From R110\.$/) })
})
