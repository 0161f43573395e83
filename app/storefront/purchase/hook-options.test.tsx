import { expect, it } from 'vitest'
import { renderText } from '#test/render-page.tsx'
import { POPPER } from '#test/sample-product.ts'
import { HookOptions } from './hook-options.tsx'

it.each([
  [142_00, 'With Hooks +R32 Without Hooks'],
  [100_00, 'With Hooks −R10 Without Hooks'],
  [110_00, 'With Hooks Without Hooks'],
  [null, 'Hook Option Without Hooks'],
])('shows a price with hooks of %s cents as the difference to R110', (priceWithHooksCents, text) => {
  const product = { ...POPPER, priceWithHooksCents }

  expect(renderText(<HookOptions product={product} chosen={null} onChoose={() => {}} />)).toContain(text)
})
