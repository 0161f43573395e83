import { expect, it } from 'vitest'
import { SessionProvider } from '#app/data/session.tsx'
import { renderHtml, renderText } from '#test/render-page.tsx'
import { ShownCart } from '#test/shown-cart.tsx'
import type { Route } from './+types/route'
import Collections from './route.tsx'

const page = (count: number) => {
  const loaderData = { collections: [{ name: 'Stick Baits', count, products: [] }] }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The page uses nothing else.
  const props = { loaderData } as unknown as Route.ComponentProps
  return (
    <SessionProvider publishableKey="">
      <ShownCart lines={[]}>
        <Collections {...props} />
      </ShownCart>
    </SessionProvider>
  )
}

it('leads to the rest of a category that has more lures than the page shows', () => {
  expect(renderText(page(13))).toContain('All 13 Stick Baits')
  expect(renderHtml(page(13))).toContain('href="/products?type=Stick+Baits"')
  expect(renderText(page(0))).not.toContain('All 0')
})
